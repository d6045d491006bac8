import type { Modules } from './app-modules.ts'
import type { Config } from './config/config.ts'
import { mediaFacts, serviceFacts } from './config/facts.ts'
import { publicOperations } from './contract/operations.ts'
import { publicRoutes } from './http/public-routes.ts'
import type { Route } from './http/route.ts'
import { consoleRoutes } from './http/routes/console.ts'
import { mediaRoutes } from './http/routes/media.ts'
import { consoleAppRoutes } from './http/static/console-app.ts'

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
    ...consoleAppRoutes({ directory: new URL('../console/dist/', import.meta.url), smsInboxUrl }),
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
