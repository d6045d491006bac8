import type { Logger } from 'pino'
import { newSortableId } from '../base/ids.ts'
import type { Config } from '../config/config.ts'
import { createHttpServer } from '../http/server.ts'
import type { FeatureParts } from '../ops/feature.ts'
import type { Health } from '../ops/health.ts'
import type { Metrics } from '../ops/metrics.ts'
import { type Features, operatorOperations } from './features.ts'
import { requireAllServed } from './served.ts'

interface OperatorListenerOptions {
  readonly config: Config
  readonly features: Features
  readonly health: Health
  readonly metrics: Metrics
  readonly clock: () => number
  readonly logger: Logger
}

/** The operator listener: what every feature serves to operators, behind the sessions of the feature `operators`. */
export function buildOperatorListener(options: OperatorListenerOptions) {
  const { features, health, metrics } = options
  const parts: FeatureParts[] = Object.values(features)
  const listener = features.operators.listen({
    operations: operatorOperations,
    handlers: parts.flatMap(({ operatorHandlers }) => operatorHandlers ?? []),
    problems: health.problems,
    metrics,
  })
  requireAllServed(operatorOperations, listener.routes)
  return { server: createOperatorServer(options, listener), ...listener }
}

function createOperatorServer(
  { config, clock, logger }: OperatorListenerOptions,
  { routes, guarded, hosts }: ReturnType<Features['operators']['listen']>,
) {
  const { host, port } = config.operatorListen!
  return createHttpServer({
    origin: config.operatorOrigin ?? new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`),
    acceptsHost: hosts.accepts,
    isLoopback: false,
    routes,
    guarded,
    trustedProxies: config.trustedProxies,
    bodyLimitBytes: config.server.bodyLimitBytes,
    bodyDeadlineMs: config.server.bodyDeadlineMs,
    maxConnections: 256,
    maxConnectionsPerRequester: 128,
    // Probes and open pages ask all the time; what operators do is in the audit log.
    logger: logger.child({}, { level: logger.isLevelEnabled('warn') ? 'warn' : logger.level }),
    observe: () => {},
    newRequestId: () => newSortableId('req', clock()),
  })
}
