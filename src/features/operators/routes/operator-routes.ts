import { Refusal } from '../../../contract/errors.ts'
import type { Route } from '../../../http/route.ts'
import { operatorOperations } from '../contract/operations.ts'
import { creditRoutes, type OperatedAccountRouteDeps, operatedAccountRoutes } from './account-routes.ts'
import { auditRoutes, type MonitoringDeps, monitoringRoutes } from './audit-routes.ts'
import type { OperatorGuard } from './guard.ts'
import { type InboxDeps, inboxRoutes } from './inbox-routes.ts'
import { type OperatorSessionRouteDeps, operatorSessionRoutes } from './session-routes.ts'
import { type SystemRouteDeps, systemRoutes } from './system-routes.ts'

export type OperatorRouteDeps = OperatorSessionRouteDeps &
  OperatedAccountRouteDeps &
  SystemRouteDeps &
  MonitoringDeps &
  InboxDeps

/** Every route of the operator listener but for its pages. A missing operation fails the start. */
export function operatorListenerRoutes(deps: OperatorRouteDeps): Route[] {
  const routes = [
    ...operatorSessionRoutes(deps),
    ...operatedAccountRoutes(deps),
    ...creditRoutes(deps),
    ...auditRoutes(deps),
    ...systemRoutes(deps),
    ...monitoringRoutes(deps),
  ]
  const served = new Set(routes.map(({ operationId }) => operationId))
  const missing = operatorOperations.filter(({ id }) => !served.has(id))
  if (missing.length > 0) throw new Error(`no route serves ${missing.map(({ id }) => id).join(', ')}`)
  return [...routes, ...inboxRoutes(deps), ...unknownRoutes(deps.guard)]
}

/** Nobody learns which paths exist below /api without a sign-in. */
function unknownRoutes(guard: OperatorGuard): Route[] {
  const operation = {
    id: 'operator.unknown',
    access: 'session',
    permission: null,
    isBeforePasswordChange: true,
  } as const
  return (['GET', 'POST'] as const).map((method) => ({
    operationId: operation.id,
    method,
    path: '/api/*',
    async handle(call) {
      await guard.admit(call, operation)
      throw new Refusal('NOT_FOUND')
    },
  }))
}
