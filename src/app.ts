import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { buildModules, registerMetrics } from './app-modules.ts'
import type { AppOptions } from './app-options.ts'
import { buildRoutes } from './app-routes.ts'
import { type Config, ConfigFault } from './config/config.ts'
import type { Address } from './config/variables.ts'
import { newId } from './contract/ids.ts'
import { createHttpServer } from './http/server.ts'
import { checkDescriptors } from './operator/descriptors.ts'
import { checkConfiguration } from './operator/doctor/check-configuration.ts'
import { createHealth } from './operator/health.ts'
import { createOperatorListener } from './operator/listener.ts'
import { startMaintenance } from './operator/maintenance.ts'
import { createMetrics } from './operator/metrics.ts'
import { connectionLimit } from './operator/open-files.ts'
import { readOutbox } from './providers/sms/outbox.ts'
import { openStore } from './storage/open-store.ts'

export interface App {
  readonly public: Address
  readonly operator: Address | null
  /** Finishes what is under way within the configured time, then gives everything back. */
  readonly stop: () => Promise<void>
}

const inboxLength = 20
const idleWaitMs = 3000
const idlePollMs = 10

/** Builds the gateway and starts it: the only place where things are constructed. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, logger, clock = Date.now } = options
  const { databaseUrl, dataDir } = config
  warnAboutConfiguration(config, logger)
  const engine = await openStore({ databaseUrl, dataDir, exclusive: true, clock, logger })
  const modules = await buildModules(options, engine, clock).catch(async (error) => {
    await engine.close()
    throw error
  })
  const { lease, relay, maintenanceTasks, business } = modules
  const metrics = createMetrics()
  registerMetrics(metrics, modules)
  metrics.counter(
    'gateway_log_lines_dropped_total',
    'Lines that the log could not write.',
    options.linesDropped ?? none,
  )

  let isRecovered = false
  const health = createHealth({
    checkStore: () => engine.check(),
    checkDescriptors,
    isLeaseHeld: () => lease.isHeld(),
    isRecovered: () => isRecovered,
  })
  const readInbox = config.isLoopback ? () => readOutbox(dataDir, inboxLength) : null
  const operatorListener = config.operatorListen && createOperatorListener({ health, metrics, readInbox })
  const operator =
    operatorListener && (await bind('GATEWAY_OPERATOR_LISTEN', config.operatorListen!, operatorListener.listen))
  const smsInboxUrl =
    config.isLoopback && operator ? `http://${urlHost(config.operatorListen!.host)}:${operator.port}/` : null
  const server = createHttpServer({
    origin: config.origin,
    isLoopback: config.isLoopback,
    routes: buildRoutes(config, modules, () => smsInboxUrl),
    ...config.server,
    maxConnections: Math.min(config.server.maxConnections, connectionLimit()),
    onConnectionRefused: metrics.countRefusedConnection,
    logger,
    observe: metrics.observeRequest,
    newRequestId: () => newId('req'),
  })

  await lease.start()
  const recovered = await modules.recover()
  if (recovered.released + recovered.reviewed + recovered.failed > 0)
    logger.warn(recovered, 'charges of an earlier run were ended')
  isRecovered = true
  const address = await bind('GATEWAY_LISTEN', config.listen, server.listen)
  const maintenance = startMaintenance(maintenanceTasks.tasks, (name, error) =>
    logger.error({ err: error, task: name }, 'a maintenance task failed'),
  )

  async function stop() {
    health.startDraining()
    // Maintenance ends before the relay does: recovery asks the relay which charges are still worked on.
    await Promise.all([maintenance.stop(), server.drain(config.server.drainMs)])
    // What still waits for a provider ends as uncertain now, and is recorded before the store closes.
    await business.close()
    await untilIdle(() => relay.held() === 0)
    await relay.close()
    await lease.stop().catch((error) => logger.warn({ err: error }, 'the claim on the store will run out by itself'))
    await engine.close()
    await operatorListener?.close()
  }
  return { public: address, operator, stop }
}

/** A configuration that starts can still be one that nobody should take money with. */
function warnAboutConfiguration(config: Config, logger: Logger): void {
  for (const { level, what, remedy } of checkConfiguration(config)) {
    if (level !== 'ok') logger.warn({ what, remedy }, 'a setting is unsafe')
  }
}

/** An address that cannot be had is a wrong setting: one line that names it. */
async function bind(key: string, address: Address, listen: (address: Address) => Promise<Address>): Promise<Address> {
  try {
    return await listen(address)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const fault = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be listened on (${code ?? message})`
    throw new ConfigFault(
      key,
      `${urlHost(address.host)}:${address.port} ${fault}`,
      'Stop that program, or choose another address.',
    )
  }
}

/** An IPv6 address stands in brackets in a URL. */
const urlHost = (address: string) => (address.includes(':') ? `[${address}]` : address)

const none = () => 0

async function untilIdle(isIdle: () => boolean): Promise<void> {
  for (let waitedMs = 0; !isIdle() && waitedMs < idleWaitMs; waitedMs += idlePollMs) await delay(idlePollMs)
}
