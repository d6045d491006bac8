import { endpoint, ok, type ViewDeps, view } from '../../http/endpoint.ts'
import type { Route } from '../../http/route.ts'
import type { Alerts } from './alerts.ts'
import type { AlertSettings } from './contract.ts'

export interface AlertRouteDeps extends ViewDeps {
  readonly alerts: Alerts
}

/** Which events are sent by email or SMS. */
export function alertRoutes(deps: AlertRouteDeps): Route[] {
  const { operation, guards, alerts } = deps
  return [
    view(deps, 'console.alerts.read', async ({ session }) => ok(await alerts.read(session.projectId))),
    endpoint<AlertSettings>(operation('console.alerts.save'), async (call, read) => {
      const { projectId } = await guards.sessionWrite(call)
      return ok(await alerts.save(projectId, await read(call)))
    }),
  ]
}
