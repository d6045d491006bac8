import type { Logger } from 'pino'
import { now } from '../base/clock.ts'
import { newId, newSortableId } from '../base/ids.ts'
import { delay } from '../base/timers.ts'
import type { Config } from '../config/config.ts'
import { configFault } from '../config/faults.ts'
import { pageNotice } from '../config/page-notice.ts'
import type { Address } from '../config/variables.ts'
import { publicOperations } from '../contract/operations.ts'
import { consoleDocumentRoute } from '../documents/console-document.ts'
import { serviceFacts } from '../documents/facts.ts'
import { documentRoutes, pricingRoutes } from '../documents/routes.ts'
import { createAccountStore } from '../features/identity/accounts/store.ts'
import { createActivity } from '../features/operators/overview/activity.ts'
import { operationsById } from '../http/endpoint.ts'
import type { ObserveRequest } from '../http/request-log.ts'
import type { Route } from '../http/route.ts'
import { createHttpServer, type HttpServerOptions } from '../http/server.ts'
import { builtDirectory, consoleAppRoutes } from '../http/static/built-app.ts'
import { createLedger } from '../ledger/ledger.ts'
import { checkConfiguration } from '../ops/doctor/settings.ts'
import type { FeatureParts } from '../ops/feature.ts'
import { checkDescriptors, connectionLimit, createHealth } from '../ops/health.ts'
import { startMaintenance } from '../ops/maintenance.ts'
import type { Metrics } from '../ops/metrics.ts'
import { createSecretStore, openKeyring } from '../ops/secrets.ts'
import type { Tracing } from '../ops/tracing.ts'
import { createBatchStore } from '../storage/batch-store.ts'
import { createLease } from '../storage/lease.ts'
import { type OpenedEngine, openStore } from '../storage/open-store.ts'
import { replicationOf } from '../storage/store-facts.ts'
import { buildFeatures, consoleOperations, type Features } from './features.ts'
import { buildOperatorListener } from './operator-listener.ts'
import type { AppOptions } from './options.ts'
import { requireAllServed } from './served.ts'

export interface App {
  readonly public: Address
  readonly operator: Address | null
  /** A one-time sign-in link for the local administrator; null unless only this machine reaches the operator listener. */
  readonly newSignInLink: (() => string) | null
  /** Drains within the configured time, then closes everything. */
  readonly stop: () => Promise<void>
}

const idleWaitMs = 3000
const idlePollMs = 10
/** Longer than the steps take while the store responds. */
const closeLimitMs = 8000

/** Builds and starts the gateway. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, logger, clock = now } = options
  const { databaseUrl, dataDir } = config
  const migrations = options.migrations && { migrations: options.migrations }
  warnAboutConfiguration(config, logger)
  const open = options.openStore ?? openStore
  const engine = await open({ databaseUrl, dataDir, exclusive: true, clock, logger, ...migrations })
  try {
    return await startOn(engine, options)
  } catch (error) {
    await engine.close()
    throw error
  }
}
async function startOn(engine: OpenedEngine, options: AppOptions): Promise<App> {
  const { config, logger, clock = now } = options
  const instanceId = newId('ins')
  const identity = createAccountStore(engine)
  const hasAccounts = () => identity.read((tx) => tx.hasAccounts())
  const keyring = await openKeyring(config, { hasAccounts, secrets: createSecretStore(engine) }, clock)
  const tracing = await openTracing(config, instanceId, logger)
  const activity = createActivity(clock)
  const lease = createLease(engine, instanceId, options)
  const onEvents = () => features.events.wake()
  const ledger = createLedger({ store: createBatchStore(engine, onEvents) })
  const operations = publicOperations(config.providerNames)
  let smsInboxUrl: string | null = null
  const features = buildFeatures(
    {
      ...{ config, logger, clock, engine, instanceId, keyring, ledger, lease, tracing, onEvents },
      operation: operationsById([...operations, ...consoleOperations]),
      onSettled: activity.settled,
    },
    options,
    { smsInboxUrl: () => smsInboxUrl, activity },
  )
  const parts: FeatureParts[] = Object.values(features)
  const metrics = await openMetrics(config)
  for (const { registerMetrics } of parts) registerMetrics?.(metrics)
  registerBreakers(metrics, features)
  await reportReplication(engine, metrics, logger)
  const dropped = options.linesDropped ?? (() => 0)
  metrics.counter('gateway_log_lines_dropped_total', 'Log lines that could not be written.', dropped)

  let isRecovered = false
  const health = createHealth({
    checkStore: (options) => engine.check(options),
    checkDescriptors,
    isLeaseHeld: () => lease.isHeld(),
    isRecovered: () => isRecovered,
    commits: ledger,
  })
  const operatorSide =
    config.operatorListen && buildOperatorListener({ config, features, health, metrics, clock, logger })
  const operator =
    operatorSide && (await bind('GATEWAY_OPERATOR_LISTEN', config.operatorListen!, operatorSide.server.listen))
  if (operator) operatorSide.hosts.bind(operator)
  const operatorUrl = operator && `http://${urlHost(operator.host)}:${operator.port}`
  if (config.isOperatorLocal && operatorUrl) smsInboxUrl = `${operatorUrl}/inbox`
  const routes = [
    ...parts.flatMap(({ routes }) => routes ?? []),
    ...pricingRoutes(operations, config.paymentMode),
    ...documentRoutes(operations, serviceFacts(config)),
    ...consoleAppRoutes({
      directory: builtDirectory(),
      smsInboxUrl: () => smsInboxUrl,
      ...{ mediaCreditsPerSecond: config.media.creditsPerSecond, notice: pageNotice(config) },
    }),
    consoleDocumentRoute(consoleOperations, config.origin.origin),
  ]
  requireAllServed([...operations, ...consoleOperations], routes)
  const observe = observer([metrics.observeRequest, activity.observe], parts)
  const { createServer = createHttpServer } = options
  const server = createServer(
    publicServer({ config, routes, metrics, observe, clock, logger, trace: tracing?.request }),
  )

  await lease.start()
  const recovered = await features.calls.recover()
  if (recovered.released + recovered.reviewed + recovered.failed > 0)
    logger.warn(recovered, 'charges of an earlier run were ended')
  await Promise.all([features.operators.states.refresh(), features.transparency.prepare()])
  isRecovered = true
  const address = await bind('GATEWAY_LISTEN', config.listen, server.listen)
  const maintenance = startMaintenance(
    parts.flatMap(({ tasks }) => tasks ?? []),
    (name, error) => logger.error({ err: error, task: name }, 'a maintenance task failed'),
  )
  const workers = parts.flatMap(({ workers }) => workers ?? [])
  for (const worker of workers) worker.start()

  let maintenanceStopped = Promise.resolve()
  async function stop() {
    health.startDraining()
    maintenanceStopped = maintenance.stop()
    // The load balancer sees `/readyz` and sends its requests elsewhere; those that still come are served.
    server.announceDrain()
    await delay(config.server.drainDelayMs)
    await server.drain(config.server.drainMs, () =>
      parts.reduce((open, { endStreams }) => open + (endStreams?.() ?? 0), 0),
    )
    const isClosed = await Promise.race([closeStore(), delay(closeLimitMs, { ref: false }).then(() => false)])
    if (!isClosed) logger.warn('the store did not respond during the stop; others recover what is open')
    await Promise.all([operatorSide?.server.close(), tracing?.stop()])
  }

  async function closeStore(): Promise<true> {
    // Maintenance stops before the relay: recovery asks the relay which charges are in progress.
    await Promise.all([maintenanceStopped, ...workers.map((worker) => worker.stop())])
    // Calls still waiting for a provider now end as uncertain and are recorded before the store closes.
    await Promise.all(parts.map(({ close }) => close?.()))
    await untilIdle(() => parts.every(({ underWay }) => (underWay?.() ?? 0) === 0))
    for (const { finish } of parts) await finish?.()
    await lease
      .stop()
      .catch((error) => logger.warn({ err: error }, 'the lease could not be stopped; it expires by itself'))
    await engine.close()
    return true
  }
  const newSignInLink =
    operatorSide && config.isOperatorLocal
      ? () => `${operatorUrl}/sign-in#token=${operatorSide.newSignInToken()}`
      : null
  return { public: address, operator, newSignInLink, stop }
}

function observer(always: readonly ObserveRequest[], parts: readonly FeatureParts[]): ObserveRequest {
  const onFailed = parts.flatMap(({ onFailedCall }) => onFailedCall ?? [])
  return (request, key) => {
    for (const observe of always) observe(request, key)
    if (request.code !== null && key !== null) for (const notice of onFailed) notice(request, key)
  }
}

function registerBreakers(metrics: Metrics, { calls, media }: Features): void {
  const numbers = { closed: 0, half_open: 1, open: 2 }
  metrics.labelledGauge('gateway_provider_breaker', 'Circuit breaker: 0 closed, 1 half open, 2 open.', 'provider', () =>
    Object.fromEntries(
      Object.entries({ ...calls.breakerStates(), ...media.breakerStates() }).map(([name, state]) => [
        name,
        numbers[state],
      ]),
    ),
  )
}

const publicServer = ({
  config: { origin, isLoopback, trustedProxies, server },
  routes,
  metrics,
  observe,
  clock,
  logger,
  trace,
}: {
  config: Config
  routes: readonly Route[]
  metrics: Metrics
  observe: ObserveRequest
  clock: () => number
  logger: Logger
  trace: Tracing['request'] | undefined
}): HttpServerOptions => ({
  origin,
  isLoopback,
  routes,
  trustedProxies,
  ...server,
  maxConnections: Math.min(server.maxConnections, connectionLimit()),
  onConnectionRefused: metrics.countRefusedConnection,
  logger,
  observe,
  trace,
  // With its time, so that the console finds a call by it.
  newRequestId: () => newSortableId('req', clock()),
})

/** Only the operator listener serves them; without it their library is not loaded. */
async function openMetrics({ operatorListen }: Config): Promise<Metrics> {
  if (!operatorListen) return unservedMetrics
  const { createMetrics } = await import('../ops/metrics.ts')
  return createMetrics()
}

const unservedMetrics: Metrics = {
  observeRequest() {},
  countRefusedConnection() {},
  counter() {},
  gauge() {},
  labelledGauge() {},
  samples() {},
  text: async () => '',
  contentType: '',
}

/** Loads OpenTelemetry only if tracing is on. */
async function openTracing({ tracing }: Config, instanceId: string, logger: Logger): Promise<Tracing | undefined> {
  if (!tracing) return undefined
  const { startTracing } = await import('../ops/tracing.ts')
  return startTracing({ ...tracing, instanceId, logger })
}

/** Says at the start, and at each scrape, what losing the database's machine would lose. Nothing for an embedded store. */
async function reportReplication(engine: OpenedEngine, metrics: Metrics, logger: Logger): Promise<void> {
  const replication = await replicationOf(engine)
  if (replication === null) return
  const read = async () => (await replicationOf(engine))!
  metrics.gauge(
    'gateway_store_synchronous_standbys',
    'Standbys that commits wait for and that are connected; NaN if not visible.',
    async () => (await read()).synchronous ?? Number.NaN,
  )
  metrics.gauge(
    'gateway_store_standby_lag_bytes',
    'How far the slowest synchronous standby is behind; NaN if there is none.',
    async () => (await read()).lagBytes ?? Number.NaN,
  )
  logger.info({ replication }, 'replication of the database')
}

function warnAboutConfiguration(config: Config, logger: Logger): void {
  for (const { level, what, remedy } of checkConfiguration(config)) {
    if (level !== 'ok') logger.warn({ what, remedy }, 'a setting is unsafe')
  }
}

/** Reports an address that cannot be bound as a fault of its setting. */
async function bind(key: string, address: Address, listen: (address: Address) => Promise<Address>): Promise<Address> {
  try {
    return await listen(address)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const fault = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be bound (${code ?? message})`
    throw configFault(
      key,
      `${urlHost(address.host)}:${address.port} ${fault}`,
      'Stop that program, or choose another address.',
    )
  }
}

/** IPv6 addresses need brackets in a URL. */
const urlHost = (address: string) => (address.includes(':') ? `[${address}]` : address)

async function untilIdle(isIdle: () => boolean): Promise<void> {
  for (let waitedMs = 0; !isIdle() && waitedMs < idleWaitMs; waitedMs += idlePollMs) await delay(idlePollMs)
}
