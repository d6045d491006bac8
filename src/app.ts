import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { serviceFacts } from './config-facts.ts'
import type { Address } from './config-variables.ts'
import { newId } from './contract/ids.ts'
import { publicOperations } from './contract/operations.ts'
import { createGuards } from './http/guards.ts'
import { publicRoutes } from './http/public-routes.ts'
import type { Route } from './http/route.ts'
import { consoleRoutes } from './http/routes/console.ts'
import { consoleAppRoutes } from './http/routes/console-app.ts'
import { createHttpServer } from './http/server.ts'
import { createDigests, tokenDigest } from './identity/digests.ts'
import { createIdentity } from './identity/identity.ts'
import { createPasswords, type PasswordCost } from './identity/passwords.ts'
import type { SmsSender } from './identity/ports.ts'
import { createRateLimiter } from './identity/rate-limits.ts'
import { keptSecret } from './identity/secret.ts'
import { createSessions } from './identity/sessions.ts'
import { createAuthenticate } from './keys/authenticate.ts'
import { createKeys } from './keys/keys.ts'
import { createLedger } from './ledger/ledger.ts'
import { createOperations } from './operations/create-operations.ts'
import { createHealth } from './operator/health.ts'
import { createHousekeeping } from './operator/housekeeping.ts'
import { createOperatorListener } from './operator/listener.ts'
import { startMaintenance } from './operator/maintenance.ts'
import { createMetrics, type Metrics } from './operator/metrics.ts'
import { createOrders } from './orders/orders.ts'
import { createLocalIdentityProvider } from './providers/identity/local.ts'
import { chooseSms } from './providers/sms/choose-sms.ts'
import { readOutbox } from './providers/sms/outbox.ts'
import { createRecovery } from './relay/recover.ts'
import { createRelay } from './relay/relay.ts'
import { openStore } from './storage/open-store.ts'
import { createStores } from './storage/stores.ts'

export interface AppOptions {
  readonly config: Config
  readonly logger: Logger
  /** Tests own the time, the messages and the cost of a hash. */
  readonly clock?: () => number
  readonly sms?: SmsSender
  readonly passwordCost?: PasswordCost
}

export interface App {
  readonly public: Address
  readonly operator: Address | null
  /** Finishes what is under way within the configured time, then gives everything back. */
  readonly stop: () => Promise<void>
}

const duplicateWaitMs = 60_000
const ownGraceMs = 5000
const inboxLength = 20
const idleWaitMs = 3000
const idlePollMs = 10

/** Builds the gateway and starts it: the only place where things are constructed. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, logger, clock = Date.now } = options
  const { databaseUrl, dataDir } = config
  const engine = await openStore({ databaseUrl, dataDir, exclusive: true, clock, logger })
  const rooms = await buildRooms(options, engine, clock)
  const { presence, relay, housekeeping, business } = rooms
  const metrics = createMetrics()
  observe(metrics, rooms)

  let isRecovered = false
  const health = createHealth({
    checkStore: () => engine.check(),
    isLeaseHeld: () => presence.isHeld(),
    isRecovered: () => isRecovered,
  })
  const readInbox = config.isLoopback ? () => readOutbox(dataDir, inboxLength) : null
  const operatorListener = config.operatorListen && createOperatorListener({ health, metrics, readInbox })
  const operator = operatorListener && (await operatorListener.listen(config.operatorListen!))
  const smsInboxUrl =
    config.isLoopback && operator ? `http://${hostIn(config.operatorListen!.host)}:${operator.port}/` : null
  const server = createHttpServer({
    origin: config.origin,
    isLoopback: config.isLoopback,
    routes: buildRoutes(config, rooms, () => smsInboxUrl),
    ...config.server,
    logger,
    observe: metrics.observeRequest,
    newRequestId: () => newId('req'),
  })

  await presence.start()
  const recovered = await rooms.recover()
  if (recovered.released + recovered.reviewed > 0) logger.warn(recovered, 'charges of an earlier run were ended')
  isRecovered = true
  const address = await server.listen(config.listen)
  const maintenance = startMaintenance(housekeeping.tasks, (name, error) =>
    logger.error({ err: error, task: name }, 'a maintenance task failed'),
  )

  async function stop() {
    health.startDraining()
    await server.drain(config.server.drainMs)
    // What still waits for a provider ends as uncertain now, and is recorded before the store closes.
    await business.close()
    await untilIdle(() => relay.held() === 0)
    await relay.close()
    await maintenance.stop()
    await presence.stop().catch((error) => logger.warn({ err: error }, 'the claim on the store will run out by itself'))
    await engine.close()
    await operatorListener?.close()
  }
  return { public: address, operator, stop }
}

type Store = Awaited<ReturnType<typeof openStore>>
type Rooms = Awaited<ReturnType<typeof buildRooms>>

async function buildRooms({ config, logger, ...seams }: AppOptions, engine: Store, clock: () => number) {
  const { limits } = config
  const secret = config.secret ?? (await keptSecret(config.dataDir))
  const snapshots = { days: config.shopping.snapshotDays, perProject: config.shopping.snapshotsPerProject }
  const stores = createStores({ engine, instanceId: newId('ins'), clock, snapshots })
  const { presence, charges } = stores
  const digests = createDigests(secret)
  const digestKey = (plaintext: string) => tokenDigest('api-key', plaintext)
  const sessions = createSessions({ store: stores.identity, clock, ...config.sessions })
  const identity = createIdentity({
    store: stores.identity,
    sessions,
    digests,
    passwords: createPasswords(seams.passwordCost && { cost: seams.passwordCost }),
    sms: seams.sms ?? chooseSms(config.sms, config.dataDir),
    identityProvider: createLocalIdentityProvider(secret),
    limits,
    clock,
  })
  const keys = createKeys({ store: stores.keys, digest: digestKey, clock, ...config.keys })
  const authenticate = createAuthenticate({ store: stores.keys, digest: digestKey, clock })
  const ledger = createLedger({ books: stores.books })
  const orders = createOrders({ store: stores.orders, ledger, clock, paymentMode: config.paymentMode })
  const business = createOperations({
    models: config.models,
    shopping: config.shopping,
    credential: config.credential,
    snapshots: stores.snapshots,
    clock,
    reportFault: (error) => logger.error({ err: error }, 'an adapter failed'),
  })
  const relay = createRelay({
    ledger,
    charges,
    operations: business.operations,
    instanceId: presence.instanceId,
    isLeaseHeld: () => presence.isHeld(),
    callsPerKey: limits.callsPerKey,
    clock,
    duplicateWaitMs,
    onShown: (projectId) => housekeeping.noteShown(projectId),
    onFault: (error, context) => logger.error({ err: error, ...context }, 'an outcome was not recorded yet'),
  })
  const recover = createRecovery({ charges, ledger, presence, holds: relay.holds, clock, ownGraceMs })
  const housekeeping = createHousekeeping({ ...stores, recover, clock, ...config.charges })
  const guards = createGuards({
    origin: config.origin.origin,
    sessions,
    limiter: createRateLimiter(stores.identity, clock),
    limits,
    digestRequester: digests.requester,
  })
  return {
    stores,
    presence,
    sessions,
    identity,
    keys,
    authenticate,
    ledger,
    orders,
    business,
    relay,
    recover,
    housekeeping,
    guards,
    clock,
  }
}

function observe(metrics: Metrics, { relay, ledger, business, stores }: Rooms): void {
  metrics.gauge('gateway_reviews_open', 'Charges in manual_review, of all instances.', stores.charges.countInReview)
  metrics.gauge('gateway_charges_held', 'Charges that this instance works on.', relay.held)
  metrics.gauge('gateway_book_commands_queued', 'Commands that wait for their commit or are in it.', ledger.queued)
  metrics.labelledGauge('gateway_provider_breaker', 'Circuit breaker: 0 closed, 1 half open, 2 open.', 'provider', () =>
    mapValues(business.breakerStates(), (state) => ({ closed: 0, half_open: 1, open: 2 })[state]),
  )
}

function buildRoutes(config: Config, rooms: Rooms, smsInboxUrl: () => string | null): Route[] {
  const { stores, business } = rooms
  const isSecure = config.origin.protocol === 'https:'
  const { paymentMode } = config
  return [
    ...publicRoutes({
      ...rooms,
      operations: publicOperations(config.providerNames),
      isSecure,
      sessionLifetimeSeconds: config.sessions.lifetimeSeconds,
      findAccount: (accountId) => stores.identity.read((tx) => tx.account(accountId)),
      creditsOf: stores.creditsOf,
      businessOperations: business.operations,
      paymentMode,
      facts: serviceFacts(config),
    }),
    ...consoleAppRoutes({ directory: new URL('../console/dist/', import.meta.url), smsInboxUrl }),
    ...consoleRoutes({
      ...rooms,
      reports: stores.reports,
      keysOf: (projectId) => stores.keys.read((tx) => tx.keysOf(projectId)),
      maxActiveKeys: config.keys.maxActive,
      catalog: config,
      baseUrl: config.origin.origin,
      smsInboxUrl,
      paymentMode,
      isSecure,
    }),
  ]
}

/** An IPv6 address stands in brackets in a URL. */
const hostIn = (address: string) => (address.includes(':') ? `[${address}]` : address)

const mapValues = <A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

async function untilIdle(isIdle: () => boolean): Promise<void> {
  for (let waitedMs = 0; !isIdle() && waitedMs < idleWaitMs; waitedMs += idlePollMs) await delay(idlePollMs)
}
