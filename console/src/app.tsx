import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { Redirect, Route, Router, Switch, useLocation, useSearch } from 'wouter'
import { queryClient } from './api/queries.ts'
import { session, useSession } from './api/session.ts'
import { useStepUp } from './api/step-up-prompt.ts'
import { Opening } from './design/frame.tsx'
import { Crash } from './design/notice.tsx'
import { afterSignIn, signInPath } from './format/return-path.ts'
import { paths } from './installation.ts'
import { UnsavedKey } from './pages/keys/unsaved-key.tsx'
import { forgetFailures, pages, routesFor } from './pages/pages.ts'
import { Shell } from './shell/shell.tsx'

const guestRoutes = routesFor('guests')
const guestPaths = new Set(guestRoutes.map(({ path }) => path))

export function App() {
  return (
    <Crash>
      <QueryClientProvider client={queryClient}>
        <Router base={paths.console}>
          <SessionGate />
          <UnsavedKey />
          <FactorQuestion />
        </Router>
      </QueryClientProvider>
    </Crash>
  )
}

/** Prompts for the second factor on top of any page. */
function FactorQuestion() {
  const [location] = useLocation()
  return (
    useStepUp() && (
      <Crash at={location} onRetry={forgetFailures}>
        <Suspense>
          <pages.stepUp.Page />
        </Suspense>
      </Crash>
    )
  )
}

/** Shows the console to signed-in users; sends others to sign in, and back to the page they wanted. */
function SessionGate() {
  const current = useSession()
  const [location] = useLocation()
  const search = useSearch()
  const accountId = current.phase === 'in' ? current.me.account.accountId : null
  useEffect(() => {
    // The next user must not see cached data of this one, even if another tab signed them in.
    return () => void (accountId && queryClient.resetQueries())
  }, [accountId])

  switch (current.phase) {
    case 'unknown':
      return <Opening />
    case 'failed':
      return <Opening error={current.error} onRetry={() => void session.refresh()} />
    case 'in':
      return guestPaths.has(location) ? <Redirect to={afterSignIn(search)} replace /> : <Shell />
    case 'out':
      return (
        <Crash at={location} onRetry={forgetFailures}>
          <Suspense fallback={<Opening />}>
            <Switch>
              {guestRoutes.map(({ path, Page }) => (
                <Route key={path} path={path} component={Page} />
              ))}
              <Route>
                <Redirect to={signInPath(location, search, current.reason)} replace />
              </Route>
            </Switch>
          </Suspense>
        </Crash>
      )
  }
}
