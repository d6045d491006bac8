import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter'
import { Opening } from '../design/frame.tsx'
import { Crash } from '../design/notice.tsx'
import { afterSignIn, signInPath } from '../format/return-path.ts'
import { queryClient } from './api/queries.ts'
import { operatorSession, useFirstStep, useOperatorSession } from './api/session.ts'
import { OperatorShell } from './operator-shell.tsx'
import { EnrolTotp, FirstPassword } from './pages/access/first-steps.tsx'
import { LinkSignIn, OperatorSignIn } from './pages/access/sign-in.tsx'
import { forgetFailures, routesAlone } from './pages/pages.ts'

export const OperatorApp = ({ linkToken }: { linkToken: string | null }) => (
  <Crash onRetry={forgetFailures}>
    <QueryClientProvider client={queryClient}>
      <Suspense fallback={<Opening />}>
        <Switch>
          {routesAlone.map(({ path, Page }) => (
            <Route key={path} path={path} component={Page} />
          ))}
          <Route>
            <SessionGate linkToken={linkToken} />
          </Route>
        </Switch>
      </Suspense>
    </QueryClientProvider>
  </Crash>
)

/** Shows the console to signed-in users; sends others to sign in, and back to the page they wanted. */
function SessionGate({ linkToken }: { linkToken: string | null }) {
  const current = useOperatorSession()
  const step = useFirstStep()
  const [location] = useLocation()
  const search = useSearch()
  const name = current.phase === 'in' ? current.me.name : null
  useEffect(() => {
    // The next operator must not see cached data of this one.
    return () => void (name && queryClient.clear())
  }, [name])

  switch (current.phase) {
    case 'unknown':
      return linkToken === null ? <Opening /> : <LinkSignIn token={linkToken} />
    case 'failed':
      return <Opening error={current.error} onRetry={() => void operatorSession.refresh()} />
    case 'in':
      if (step === 'password') return <FirstPassword />
      if (step === 'totp') return <EnrolTotp />
      return location === '/sign-in' ? <Redirect to={afterSignIn(search)} replace /> : <OperatorShell />
    case 'out':
      return (
        <Switch>
          <Route path="/sign-in" component={OperatorSignIn} />
          <Route>
            <Redirect to={signInPath(location, search, current.reason)} replace />
          </Route>
        </Switch>
      )
  }
}
