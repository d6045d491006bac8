import { pageNotice } from '../../../config/page-notice.ts'
import { operationsById } from '../../../http/endpoint.ts'
import type { Route } from '../../../http/route.ts'
import { builtDirectory } from '../../../http/static/built-app.ts'
import { type OperatorHandler, operatorEndpoint } from '../../../operator-kit/endpoint.ts'
import { createOperatorGuard } from '../../../operator-kit/guard.ts'
import type { FeatureContext } from '../../../ops/feature.ts'
import type { Accounts } from '../../identity/accounts/feature.ts'
import { operatorSessionRoutes } from '../access/routes.ts'
import { createOperatorSessions, createSignInLinks } from '../access/sessions.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { AdministrationDeps } from '../deps.ts'
import { createInbox, inboxRoutes } from '../inbox/inbox.ts'
import type { OperatorOverview } from '../overview/contract.ts'
import { overviewRoute } from '../overview/routes.ts'
import { createOperatorHosts } from './hosts.ts'
import { type MonitoringDeps, monitoringRoutes } from './monitoring.ts'
import { guardedPaths, operatorAppRoutes } from './routes.ts'

interface ListenerDeps extends Pick<FeatureContext, 'config' | 'clock'> {
  readonly acting: AdministrationDeps
  readonly accounts: Accounts
  readonly overview: () => Promise<OperatorOverview>
}

export interface Served extends Pick<MonitoringDeps, 'operations' | 'problems' | 'metrics'> {
  /** Of every feature. */
  readonly handlers: readonly OperatorHandler[]
}

/** The routes of the operator listener, and what guards them. */
export function createListener({ config, clock, acting, accounts, overview }: ListenerDeps, served: Served) {
  const { isOperatorLocal, limits } = config
  const { limiter, digestRequester } = accounts
  const requiresTotp = !isOperatorLocal
  const sessions = createOperatorSessions({ store: acting.store, clock, allowsLocal: isOperatorLocal, requiresTotp })
  const links = createSignInLinks(clock)
  const hosts = createOperatorHosts(config.operatorOrigin)
  const guard = createOperatorGuard({
    originOf: hosts.originOf,
    sessions,
    countWrite: (name) => limiter.take(`operator-writes ${name}`, limits.sessionWritesPerProject),
    recordRefused: (actor, refused) => recordAudit(acting, actor, { action: 'operator.refused', ...refused }),
  })
  const signIn = { ...acting, sessions, links, requiresTotp }
  const operation = operationsById(served.operations)
  const inbox = createInbox(config)
  const routes: Route[] = [
    ...operatorAppRoutes({
      ...{ directory: builtDirectory('operator/'), hasInbox: inbox !== null, notice: pageNotice(config) },
    }),
    ...operatorSessionRoutes({ guard, hosts, signIn, accountStore: accounts.store, limiter, limits, digestRequester }),
    overviewRoute(guard, overview),
    ...served.handlers.map(({ id, handle }) => operatorEndpoint(guard, operation(id), handle)),
    ...monitoringRoutes({ hosts, ...served }),
    ...inboxRoutes({ guard, inbox }),
  ]
  return {
    routes,
    guarded: guardedPaths(guard),
    hosts,
    /** A new token for a one-time sign-in link. */
    newSignInToken: links.create,
  }
}
