import type { Config } from '../config/config.ts'
import type { Operation } from '../contract/operation.ts'
import { publicOperations } from '../contract/operations.ts'
import { serviceFacts } from '../documents/facts.ts'
import { type DocumentRouteDeps, documentRoutes, type PricingRouteDeps, pricingRoutes } from '../documents/routes.ts'
import {
  type AccountSecurityRouteDeps,
  accountSecurityRoutes,
  type IdentityRouteDeps,
  identityRoutes,
  type SignInRouteDeps,
  signInRoutes,
} from '../features/accounts/routes.ts'
import { type AlertRouteDeps, alertRoutes } from '../features/alerts/routes.ts'
import { type BusinessRouteDeps, businessRoutes } from '../features/calls/routes.ts'
import { type EventRouteDeps, eventRoutes } from '../features/events/routes.ts'
import { keyRoutes, type NamedKeyRouteDeps, namedKeyRoutes } from '../features/keys/routes.ts'
import { mediaFacts } from '../features/media/operations.ts'
import { type ConsoleMediaDeps, consoleMediaRoutes, mediaRoutes } from '../features/media/routes.ts'
import { orderRoutes } from '../features/orders/routes.ts'
import { type AccountRouteDeps, accountRoutes } from '../features/reports/me.ts'
import {
  exportRoutes,
  type ReportRouteDeps,
  type ResourceRouteDeps,
  reportRoutes,
  resourceRoutes,
} from '../features/reports/routes.ts'
import { type WebhookRouteDeps, webhookRoutes } from '../features/webhooks/routes.ts'
import { endpoint } from '../http/endpoint.ts'
import type { Route } from '../http/route.ts'
import { consoleAppRoutes } from '../http/static/built-app.ts'
import { createStaticContent } from '../http/static/static-content.ts'
import { consoleDocument, consoleOperations } from './console-contract.ts'
import type { Modules } from './modules.ts'

type RouteModules = Omit<
  IdentityRouteDeps & PricingRouteDeps & AccountRouteDeps & BusinessRouteDeps & DocumentRouteDeps,
  'operation' | 'operations'
>

interface PublicRouteDeps extends RouteModules {
  readonly operations: readonly Operation[]
  readonly businessOperations: BusinessRouteDeps['operations']
}

/** One route per operation of the contract; a missing operation fails the start. */
function publicRoutes({ operations, businessOperations, ...modules }: PublicRouteDeps): Route[] {
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  const operation = (id: string): Operation => {
    const found = byId.get(id)
    if (!found) throw new Error(`the contract has no operation ${id}`)
    return found
  }
  const deps = { ...modules, operation }
  return [
    ...identityRoutes(deps),
    ...pricingRoutes(deps),
    ...accountRoutes(deps),
    ...keyRoutes(deps),
    ...orderRoutes(deps),
    ...businessRoutes({ ...deps, operations: businessOperations }),
    ...documentRoutes({ ...deps, operations }),
  ]
}

type ConsoleRouteDeps = Omit<
  ReportRouteDeps &
    ResourceRouteDeps &
    NamedKeyRouteDeps &
    SignInRouteDeps &
    AccountSecurityRouteDeps &
    AlertRouteDeps &
    WebhookRouteDeps &
    EventRouteDeps &
    ConsoleMediaDeps,
  'operation'
>

/** What the web console uses beyond the public operations, and the document that describes it. */
function consoleRoutes(modules: ConsoleRouteDeps): Route[] {
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
    ...webhookRoutes(deps),
    endpoint(operation('console.openapi'), document.answer),
  ]
}

/** Every route of the public listener. */
export function buildRoutes(config: Config, modules: Modules, smsInboxUrl: () => string | null): Route[] {
  const { stores, business } = modules
  const isSecure = config.origin.protocol === 'https:'
  const { paymentMode } = config
  return [
    ...publicRoutes({
      ...modules,
      operations: publicOperations(config.providerNames),
      isSecure,
      sessionLifetimeSeconds: config.sessions.lifetimeSeconds,
      findAccount: (accountId) => stores.identity.read((tx) => tx.account(accountId)),
      creditsOf: stores.creditsOf,
      businessOperations: business.operations,
      paymentMode,
      facts: serviceFacts(config),
    }),
    ...mediaRoutes({ ...modules, mediaFacts: mediaFacts(config) }),
    ...consoleAppRoutes({ directory: new URL('../../console/dist/', import.meta.url), smsInboxUrl }),
    ...consoleRoutes({
      ...modules,
      reports: stores.reports,
      eventLog: stores.events,
      maxActiveKeys: config.keys.maxActive,
      catalog: config,
      baseUrl: config.origin.origin,
      smsInboxUrl,
      paymentMode,
      isSecure,
    }),
  ]
}
