import { consoleOperations } from '../../contract/console/operations.ts'
import type { Operation } from '../../contract/operation.ts'
import { consoleDocument } from '../../documents/console-document.ts'
import { endpoint } from '../endpoint.ts'
import type { Route } from '../route.ts'
import { createStaticContent } from '../static/static-content.ts'
import { type AccountSecurityRouteDeps, accountSecurityRoutes } from './console/account-security.ts'
import { type AlertRouteDeps, alertRoutes } from './console/alerts.ts'
import { type EventRouteDeps, eventRoutes } from './console/events.ts'
import { exportRoutes } from './console/exports.ts'
import { type NamedKeyRouteDeps, namedKeyRoutes } from './console/keys.ts'
import { type ConsoleMediaDeps, consoleMediaRoutes } from './console/media.ts'
import { type ReportRouteDeps, reportRoutes } from './console/reports.ts'
import { type ResourceRouteDeps, resourceRoutes } from './console/resources.ts'
import { type SignInRouteDeps, signInRoutes } from './console/sign-ins.ts'

export type ConsoleRouteDeps = Omit<
  ReportRouteDeps &
    ResourceRouteDeps &
    NamedKeyRouteDeps &
    SignInRouteDeps &
    AccountSecurityRouteDeps &
    AlertRouteDeps &
    EventRouteDeps &
    ConsoleMediaDeps,
  'operation'
>

/** What the web console uses beyond the public operations, and the document that describes it. */
export function consoleRoutes(modules: ConsoleRouteDeps): Route[] {
  const byId = new Map(consoleOperations.map((operation) => [operation.id, operation]))
  const operation = (id: string): Operation => {
    const found = byId.get(id)
    if (!found) throw new Error(`the console's contract has no operation ${id}`)
    return found
  }
  const deps = { ...modules, operation }
  const document = createStaticContent({
    body: JSON.stringify(consoleDocument(modules.baseUrl)),
    contentType: 'application/json; charset=utf-8',
  })
  return [
    ...reportRoutes(deps),
    ...exportRoutes(deps),
    ...resourceRoutes(deps),
    ...consoleMediaRoutes(deps),
    ...namedKeyRoutes(deps),
    ...eventRoutes(deps),
    ...signInRoutes(deps),
    ...accountSecurityRoutes(deps),
    ...alertRoutes(deps),
    endpoint(operation('console.openapi'), document.answer),
  ]
}
