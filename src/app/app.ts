import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { newId, newSortableId } from '../base/ids.ts'
import { type Config, ConfigFault } from '../config/config.ts'
import type { Address } from '../config/variables.ts'
import { createActivity } from '../features/operators/activity.ts'
import type { Observation } from '../http/request-log.ts'
import type { Route } from '../http/route.ts'
import { createHttpServer, type HttpServer } from '../http/server.ts'
import { checkConfiguration } from '../ops/doctor/settings.ts'
import { checkDescriptors, connectionLimit, createHealth } from '../ops/health.ts'
import { startMaintenance } from '../ops/maintenance.ts'
import { createMetrics, type Metrics } from '../ops/metrics.ts'
import type { Tracing } from '../ops/tracing.ts'
import { type OpenedEngine, openStore } from '../storage/open-store.ts'
import { replicationOf } from '../storage/store-facts.ts'
import { buildModules, registerMetrics } from './modules.ts'
import { buildOperatorSide } from './operator-listener.ts'
import type { AppOptions } from './options.ts'
import { buildRoutes } from './routes.ts'

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
  const { config, logger, clock = Date.now } = options
  const { databaseUrl, dataDir } = config
  const migrations = options.migrations && { migrations: options.migrations }
  warnAboutConfiguration(config, logger)
  const engine = await openStore({ databaseUrl, dataDir, exclusive: true, clock, logger, ...migrations })
  const activity = createActivity(clock)
  const instanceId = newId('ins')
  const tracing = await openTracing(config, instanceId, logger)
  const onSettled = activity.settled
  const modules = await buildModules(options, { engine, clock, onSettled, instanceId, tracing }).catch(
    async (error) => {
      await engine.close()
      throw error
    },
  )
  const { lease, relay, media, maintenanceTasks, business, messages, events, webhookParts } = modules
  const metrics = createMetrics()
  registerMetrics(metrics, modules)
  await reportReplication(engine, metrics, logger)
  metrics.counter(
    'gateway_log_lines_dropped_total',
    'Log lines that could not be written.',
    options.linesDropped ?? zero,
  )

  let isRecovered = false
  const health = createHealth({
    checkStore: (options) => engine.check(options),
    checkDescriptors,
    isLeaseHeld: () => lease.isHeld(),
    isRecovered: () => isRecovered,
    commits: modules.ledger,
  })
  const operatorSide =
    config.operatorListen &&
    buildOperatorSide({
      providers: modules.providers,
      config,
      modules,
      engine,
      activity,
      health,
      metrics,
      clock,
      logger,
    })
  const operator =
    operatorSide && (await bind('GATEWAY_OPERATOR_LISTEN', config.operatorListen!, operatorSide.server.listen))
  if (operator) operatorSide.hosts.bind(operator)
  const operatorUrl = operator && `http://${urlHost(operator.host)}:${operator.port}`
  const smsInboxUrl = config.isOperatorLocal && operatorUrl ? `${operatorUrl}/inbox` : null
  const routes = buildRoutes(config, modules, () => smsInboxUrl)
  const observe = (observation: Observation) => {
    metrics.observeRequest(observation)
    activity.observe(observation)
  }
  const server = createPublicServer({ config, routes, metrics, observe, clock, logger, trace: tracing?.request })

  await lease.start()
  const recovered = await modules.recover()
  if (recovered.released + recovered.reviewed + recovered.failed > 0)
    logger.warn(recovered, 'charges of an earlier run were ended')
  await modules.providers.refresh()
  isRecovered = true
  const address = await bind('GATEWAY_LISTEN', config.listen, server.listen)
  media.start()
  const maintenance = startMaintenance(maintenanceTasks.tasks, (name, error) =>
    logger.error({ err: error, task: name }, 'a maintenance task failed'),
  )

  messages.worker.start()
  events.dispatcher.start()
  webhookParts.worker.start()

  let maintenanceStopped = Promise.resolve()
  async function stop() {
    health.startDraining()
    maintenanceStopped = maintenance.stop()
    // The load balancer sees `/readyz` and sends its requests elsewhere; those that still come are served.
    server.announceDrain()
    await delay(config.server.drainDelayMs)
    await server.drain(config.server.drainMs)
    const isClosed = await Promise.race([closeStore(), delay(closeLimitMs, false, { ref: false })])
    if (!isClosed) logger.warn('the store did not respond during the stop; others recover what is open')
    await Promise.all([operatorSide?.server.close(), tracing?.stop()])
  }

  async function closeStore(): Promise<true> {
    // Maintenance stops before the relay: recovery asks the relay which charges are in progress.
    await Promise.all([maintenanceStopped, media.stop()])
    // Calls still waiting for a provider now end as uncertain and are recorded before the store closes.
    await Promise.all([business.close(), media.close(), messages.worker.stop(), webhookParts.worker.stop()])
    await untilIdle(() => relay.underWay() + media.submit.underWay() === 0)
    await relay.close()
    // After the last outcome is recorded: its events are passed on too.
    await events.dispatcher.stop()
    await lease
      .stop()
      .catch((error) => logger.warn({ err: error }, 'the lease could not be stopped; it expires by itself'))
    await operatorSide?.stop()
    await engine.close()
    return true
  }
  const newSignInLink =
    operatorSide && config.isOperatorLocal
      ? () => `${operatorUrl}/sign-in#token=${operatorSide.newSignInToken()}`
      : null
  return { public: address, operator, newSignInLink, stop }
}

function createPublicServer({
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
  observe: (observation: Observation) => void
  clock: () => number
  logger: Logger
  trace: Tracing['request'] | undefined
}): HttpServer {
  return createHttpServer({
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
    throw new ConfigFault(
      key,
      `${urlHost(address.host)}:${address.port} ${fault}`,
      'Stop that program, or choose another address.',
    )
  }
}

/** IPv6 addresses need brackets in a URL. */
const urlHost = (address: string) => (address.includes(':') ? `[${address}]` : address)

const zero = () => 0

async function untilIdle(isIdle: () => boolean): Promise<void> {
  for (let waitedMs = 0; !isIdle() && waitedMs < idleWaitMs; waitedMs += idlePollMs) await delay(idlePollMs)
}
