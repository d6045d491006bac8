import { Refusal } from '../../../contract/errors.ts'
import type { Call, Route, RouteResponse } from '../../../http/route.ts'
import type { GuardedPaths } from '../../../http/router.ts'
import type { BuiltApp } from '../../../http/static/built-app.ts'
import { loadBuiltApp, notBuilt } from '../../../http/static/built-app.ts'
import { withNotice } from '../../../http/static/page-notice.ts'
import type { OperatorGuard } from '../../../operator-kit/guard.ts'
import { operatorPages } from './contract.ts'

/** Callers that are not signed in do not learn what exists below /api. */
export function guardedPaths(guard: OperatorGuard): GuardedPaths {
  const operation = {
    id: 'operator.unknown',
    access: 'session',
    permission: null,
    isBeforePasswordChange: true,
  } as const
  return { under: '/api/', admit: (call) => guard.admit(call, operation) }
}

interface OperatorAppDeps {
  readonly directory: URL
  readonly hasInbox: boolean
  /** HTML that stands above every page. */
  readonly notice: string | null
}

/** The operator's console: one page for each of its paths, and the files it is made of. Only its data needs a sign-in. */
export function operatorAppRoutes({ directory, hasInbox, notice }: OperatorAppDeps): Route[] {
  let loaded: BuiltApp | undefined
  const withApp = (serve: (app: BuiltApp, call: Call) => Promise<RouteResponse>) => (call: Call) => {
    loaded ??= loadBuiltApp(directory, 'operator.html', (html) => withNotice(html, notice))
    return loaded ? serve(loaded, call) : notBuilt
  }
  const page = withApp((app, call) => app.page.respond(call))
  const asset = withApp(async (app, call) => {
    const found = app.assets.get(call.params.name ?? '')
    if (!found) throw new Refusal('NOT_FOUND')
    return found.respond(call)
  })
  const served = operatorPages.filter((name) => name !== 'inbox' || hasInbox)
  const paths = ['/', ...served.flatMap((name) => [`/${name}`, `/${name}/{id}`])]
  return [
    ...paths.map((path): Route => ({ operationId: 'operator.page', method: 'GET', path, handle: page })),
    { operationId: 'operator.asset', method: 'GET', path: '/assets/{name}', handle: asset },
  ]
}
