import { tokenDigest } from '../base/signatures.ts'
import { buildIdentity } from '../features/accounts/build.ts'
import { createAlerts } from '../features/alerts/alerts.ts'
import { alertsOnEvents } from '../features/alerts/build.ts'
import { buildArchiving } from '../features/archives/build.ts'
import { buildEvents } from '../features/events/build.ts'
import { createAuthenticate } from '../features/keys/authenticate.ts'
import { createExpiryWarnings, createKeys } from '../features/keys/keys.ts'
import { createNamedKeys } from '../features/keys/named-keys.ts'
import { createMedia } from '../features/media/media.ts'
import { buildMessages } from '../features/messages/build.ts'
import { sumUpFailures } from '../features/operators/administration/sign-in.ts'
import { createAuditHeadWatch } from '../features/operators/audit-head.ts'
import { createProviderStates } from '../features/operators/provider-states.ts'
import { createAdministrationStore } from '../features/operators/store/store.ts'
import { createOrders } from '../features/orders/orders.ts'
import { buildWebhooks } from '../features/webhooks/build.ts'
import { createInstanceLimit } from '../http/instance-limit.ts'
import { createLedger } from '../ledger/ledger.ts'
import type { Metrics } from '../ops/metrics.ts'
import { openKeyring } from '../ops/secrets.ts'
import type { Tracing } from '../ops/tracing.ts'
import { watchedMinutes } from '../providers/provider-watch.ts'
import type { RelayDeps } from '../relay/call.ts'
import { createOperations } from '../relay/operations/create-operations.ts'
import { createRecovery } from '../relay/recover.ts'
import { createRelay } from '../relay/relay.ts'
import { ChargeLost } from '../relay/settle.ts'
import type { OpenedEngine } from '../storage/open-store.ts'
import { createMaintenanceTasks } from './maintenance-tasks.ts'
import type { AppOptions } from './options.ts'
import { createStores } from './stores.ts'

export type Modules = Awaited<ReturnType<typeof buildModules>>

const duplicateWaitMs = 60_000
const ownGraceMs = 5000

export interface ModuleOptions {
  readonly engine: OpenedEngine
  readonly clock: () => number
  readonly onSettled: NonNullable<RelayDeps['onSettled']>
  readonly instanceId: string
  readonly tracing: Tracing | undefined
}

/** Constructs everything between the store and the listeners. */
export async function buildModules(
  options: AppOptions,
  { engine, clock, onSettled, instanceId, tracing }: ModuleOptions,
) {
  const { config, logger } = options
  const { limits } = config
  const snapshots = { days: config.shopping.snapshotDays, perProject: config.shopping.snapshotsPerProject }
  const stores = createStores({
    engine,
    instanceId,
    clock,
    snapshots,
    onEvents: () => events.dispatcher.wake(),
    migrations: options.migrations,
  })
  const { lease, charges } = stores
  const digestKey = (plaintext: string) => tokenDigest('api-key', plaintext)
  const keyring = await openKeyring(config, stores, clock)
  const messages = buildMessages({ options, store: stores.messages, keyring, instanceId: lease.instanceId, clock })
  const identityParts = buildIdentity(options, { store: stores.identity, keyring, messages, clock })
  const webhookParts = buildWebhooks({
    options,
    store: stores.webhooks,
    keyring,
    noticesFor: (projectId) => identityParts.noticesFor(projectId, 'webhook_disabled'),
    onNotices: messages.outbox.wake,
    instanceId: lease.instanceId,
    clock,
  })
  const events = buildEvents({
    store: stores.events,
    clock,
    logger,
    subscribers: [alertsOnEvents({ keyring, outbox: messages.outbox, clock }), webhookParts.subscriber],
    onDispatched: webhookParts.worker.wake,
  })
  const keyDeps = { store: stores.keys, digest: digestKey, clock, ...config.keys }
  const keys = createKeys(keyDeps)
  const namedKeys = createNamedKeys(keyDeps)
  const authenticate = createAuthenticate({ store: stores.keys, digest: digestKey, clock })
  const refusals = createInstanceLimit({ limit: limits.refusalsPerKey, clock })
  const ledger = createLedger({ books: stores.books })
  const orders = createOrders({ store: stores.orders, ledger, clock, paymentMode: config.paymentMode })
  const business = createOperations({
    models: config.models,
    shopping: config.shopping,
    credential: config.credential,
    traceHeaders: tracing?.outgoingHeaders,
    snapshots: stores.snapshots,
    clock,
    reportFault: (error) => logger.error({ err: error }, 'an adapter failed'),
  })
  let lost = 0
  const relay = createRelay({
    ledger,
    charges,
    operations: business.operations,
    instanceId: lease.instanceId,
    isLeaseHeld: () => lease.isHeld(),
    callsPerKey: limits.callsPerKey,
    clock,
    duplicateWaitMs,
    trace: tracing?.step,
    onSettled,
    onUncertain: (call) => logger.warn(call, 'the outcome of a call is uncertain'),
    onSnapshotsAdded: (projectId) => maintenanceTasks.noteNewSnapshots(projectId),
    onFault: (error, context) => {
      if (!(error instanceof ChargeLost)) {
        return logger.error({ err: error, ...context }, 'an outcome was not recorded yet')
      }
      lost += 1
      logger.error({ err: error, ...context }, 'the store has lost a charge')
    },
  })
  const media = createMedia({
    media: config.media,
    dataDir: config.dataDir,
    jobs: stores.mediaJobs,
    ledger,
    lease,
    callsPerKey: limits.callsPerKey,
    credential: config.credential,
    traceHeaders: tracing?.outgoingHeaders,
    clock,
    logger,
    onSettled,
  })
  const mediaReads = createInstanceLimit({ limit: limits.mediaReadsPerKey, clock })
  const recoverCharges = createRecovery({
    charges,
    ledger,
    lease,
    isUnderWay: relay.isUnderWay,
    wasForwarded: relay.wasForwarded,
    clock,
    ownGraceMs,
    onFault: (error, context) => logger.error({ err: error, ...context }, 'a charge cannot be ended'),
  })
  let stuck = 0
  async function recover(stopping?: AbortSignal) {
    const recovered = await recoverCharges(stopping)
    stuck = recovered.failed
    return recovered
  }
  const auditHead = createAuditHeadWatch({
    read: () => createAdministrationStore(engine).read((tx) => tx.auditHead()),
    logger,
  })
  const archiving = buildArchiving({ engine, config, holder: instanceId, clock, logger })
  const maintenanceTasks = createMaintenanceTasks({
    ...stores,
    archive: archiving.archive,
    recover,
    pruneClips: media.prune,
    warnOfExpiry: createExpiryWarnings({ store: stores.keys, clock }),
    refreshProviders: () => providers.refresh(),
    reportAuditHead: auditHead.report,
    sumUpSignIns: (limit) => sumUpFailures({ store: createAdministrationStore(engine), clock }, limit),
    clock,
    ...config.charges,
  })
  const providers = createProviderStates({
    providers: business.providers,
    readSwitches: () => createAdministrationStore(engine).read((tx) => tx.providerSwitches()),
    minutes: watchedMinutes,
  })
  return {
    ...identityParts,
    identityParts,
    webhooks: webhookParts.webhooks,
    webhookParts,
    stores,
    lease,
    keys,
    namedKeys,
    authenticate,
    refusals,
    ledger,
    orders,
    business,
    providers,
    relay,
    media,
    mediaReads,
    recover,
    stuckCharges: () => stuck,
    lostCharges: () => lost,
    maintenanceTasks,
    auditHead,
    archiving,
    keyring,
    messages,
    events,
    alerts: createAlerts(stores.alerts),
    clock,
  }
}

export function registerMetrics(
  metrics: Metrics,
  {
    relay,
    stuckCharges,
    lostCharges,
    ledger,
    business,
    media,
    identityParts,
    messages,
    events,
    webhookParts,
    archiving,
    auditHead,
    stores,
  }: Modules,
): void {
  identityParts.registerMetrics(metrics)
  messages.registerMetrics(metrics)
  events.registerMetrics(metrics)
  webhookParts.registerMetrics(metrics)
  archiving.registerMetrics(metrics)
  metrics.gauge('gateway_reviews_open', 'Charges in manual_review, across all instances.', stores.charges.countInReview)
  metrics.gauge('gateway_audit_entries', 'Entries of the audit log; it never falls.', auditHead.entries)
  metrics.gauge('gateway_charges_held', 'Charges this instance is working on.', relay.underWay)
  metrics.gauge('gateway_charges_stuck', 'Charges the last recovery could not end.', stuckCharges)
  metrics.counter('gateway_charges_lost_total', 'Charges that the store lost after it had committed them.', lostCharges)
  metrics.gauge('gateway_book_commands_queued', 'Ledger commands waiting for their commit.', ledger.queued)
  metrics.gauge('gateway_media_jobs_open', 'Media jobs that have not ended, across all instances.', media.openJobs)
  metrics.gauge('gateway_media_polls', 'Media jobs this instance is asking a provider about.', media.polling)
  metrics.labelledGauge('gateway_provider_breaker', 'Circuit breaker: 0 closed, 1 half open, 2 open.', 'provider', () =>
    mapValues(
      { ...business.breakerStates(), ...media.breakerStates() },
      (state) => ({ closed: 0, half_open: 1, open: 2 })[state],
    ),
  )
}

const mapValues = <A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
