import type { Logger } from 'pino'
import { monotonicMs } from '../base/clock.ts'
import { newSortableId } from '../base/ids.ts'
import { isoOf } from '../base/time.ts'
import type { Config } from '../config/config.ts'
import type { Activity } from '../features/operators/activity.ts'
import { administrationDeps, createAdministration } from '../features/operators/administration/administration.ts'
import { createOperatorSessions, createSignInLinks } from '../features/operators/administration/operator-sessions.ts'
import { createOperatorHosts } from '../features/operators/hosts.ts'
import type { Inbox } from '../features/operators/inbox/inbox.ts'
import { createOverview, keptFor } from '../features/operators/overview.ts'
import { createReconcileRuns, runLimitMs } from '../features/operators/reconcile-runs.ts'
import { operatorAppRoutes, operatorListenerRoutes } from '../features/operators/routes/operator-routes.ts'
import { effectiveSettings } from '../features/operators/settings.ts'
import { archivesOf } from '../features/records/archives/feature.ts'
import { transparencyFault } from '../features/records/transparency/publisher.ts'
import { silentWitnesses } from '../features/records/transparency/witnessing.ts'
import { operationsById } from '../http/endpoint.ts'
import { createHttpServer } from '../http/server.ts'
import { builtDirectory } from '../http/static/built-app.ts'
import type { InstanceLease } from '../ledger/instance-lease.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { operatorEndpoint } from '../operator-kit/endpoint.ts'
import { createOperatorGuard } from '../operator-kit/guard.ts'
import { examine, isHealthy } from '../ops/doctor/doctor.ts'
import { type FindingLanguage, findingIn } from '../ops/doctor/finding.ts'
import type { FeatureParts } from '../ops/feature.ts'
import type { Health } from '../ops/health.ts'
import type { Metrics } from '../ops/metrics.ts'
import { countOutdated, createSecretStore, readKeyring, refuseForeignSecret } from '../ops/secrets.ts'
import { readEmailOutbox } from '../providers/email.ts'
import { readSmsOutbox } from '../providers/sms/sms.ts'
import { storeFile } from '../storage/open-engine.ts'
import { type OpenedEngine, openStore } from '../storage/open-store.ts'
import { storeFacts } from '../storage/store-facts.ts'
import { type Features, operatorOperations, sealedKinds } from './features.ts'
import { requireAllServed } from './served.ts'

interface OperatorListenerOptions {
  readonly config: Config
  readonly features: Features
  readonly ledger: Ledger
  readonly lease: InstanceLease
  readonly engine: OpenedEngine
  readonly activity: Activity
  readonly health: Health
  readonly metrics: Metrics
  readonly clock: () => number
  readonly logger: Logger
}

/** Constructs the operator listener and everything that only operators use. */
export function buildOperatorListener(options: OperatorListenerOptions) {
  const { config, features, engine, ledger, clock, health, metrics } = options
  const { accounts, payments, reports, operators } = features
  const { limits } = config
  const deps = administrationDeps(engine, config, clock, { ledger, passwords: accounts.passwords })
  const operate = createAdministration(deps)
  const requiresTotp = !config.isOperatorLocal
  const sessions = createOperatorSessions({
    store: deps.store,
    clock,
    allowsLocal: config.isOperatorLocal,
    requiresTotp,
  })
  const links = createSignInLinks(clock)
  const hosts = createOperatorHosts(config.operatorOrigin)
  const runs = createReconcileRuns({
    store: deps.store,
    openEngine: () => openBeside(options, runLimitMs),
    clock,
    resultDays: config.charges.resultDays,
    archives: () => archivesOf(config),
    onFailure: (error) => options.logger.error({ err: error }, 'a reconciliation failed'),
  })
  const guard = createOperatorGuard({
    originOf: hosts.originOf,
    sessions,
    countWrite: (name) => accounts.limiter.take(`operator-writes ${name}`, limits.sessionWritesPerProject),
    recordRefused: (actor, refused) => operate.recordAudit(actor, { action: 'operator.refused', ...refused }),
  })
  const parts: FeatureParts[] = Object.values(features)
  const operation = operationsById(operatorOperations)
  const inbox = createInbox(config)
  const routes = [
    ...parts
      .flatMap(({ operatorHandlers }) => operatorHandlers ?? [])
      .map(({ id, handle }) => operatorEndpoint(guard, operation(id), handle)),
    ...operatorAppRoutes({ directory: builtDirectory('operator/'), hasInbox: inbox !== null }),
    ...operatorListenerRoutes({
      operations: operatorOperations,
      guard,
      hosts,
      operate,
      signIn: { ...deps, sessions, links, requiresTotp },
      accountStore: accounts.store,
      limiter: accounts.limiter,
      limits,
      digestRequester: accounts.digestRequester,
      reports: reports.reports,
      orders: payments.orders,
      payments,
      clock,
      sessionsOf: (accountId) => accounts.store.read((tx) => tx.sessionsOf(accountId, clock())),
      overview: createOverview({ ...options, runs, providers: operators.states }),
      providers: operators.states,
      providerDay: operators.day,
      runs,
      settings: () => effectiveSettings(config),
      doctor: createDoctor(options),
      problems: health.problems,
      metrics,
      inbox,
    }),
  ]
  requireAllServed(operatorOperations, routes)
  return {
    server: createOperatorServer(options, routes, hosts),
    hosts,
    /** A new token for a one-time sign-in link. */
    newSignInToken: links.create,
    stop: runs.stop,
  }
}

function createOperatorServer(
  { config, clock, logger }: OperatorListenerOptions,
  routes: Parameters<typeof createHttpServer>[0]['routes'],
  hosts: ReturnType<typeof createOperatorHosts>,
) {
  const { host, port } = config.operatorListen!
  return createHttpServer({
    origin: config.operatorOrigin ?? new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`),
    acceptsHost: hosts.accepts,
    isLoopback: false,
    routes,
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

const inboxLength = 20

/** Messages of the outbox files, for developers. */
function createInbox({ sms, email, dataDir, isOperatorLocal }: Config): Inbox | null {
  if (sms.adapter !== 'outbox' && email.adapter !== 'outbox' && !isOperatorLocal) return null
  return {
    isOpen: isOperatorLocal,
    sms: () => readSmsOutbox(dataDir, inboxLength),
    email: () => readEmailOutbox(dataDir, inboxLength),
  }
}

/** A connection of its own, so that work on the whole store holds up no call. */
const openBeside = ({ config, clock, logger }: OperatorListenerOptions, transactionLimitMs: number) =>
  openStore({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    exclusive: false,
    mustExist: true,
    transactionLimitMs,
    clock,
    logger,
  })

const doctorFreshMs = 10_000
const doctorLimitMs = 60_000

function createDoctor(options: OperatorListenerOptions) {
  const { config, clock } = options
  const read = keptFor(doctorFreshMs, monotonicMs, async () => {
    const findings = await examine({
      config: () => config,
      storeFile: () => storeFile(config),
      clock,
      withStore: async (work) => {
        const engine = await openBeside(options, doctorLimitMs)
        try {
          return await work({
            check: () => engine.check(),
            facts: () => storeFacts(engine),
            transparencyFault: () => transparencyFault(engine, config.dataDir),
            silentWitnesses: () => silentWitnesses(engine, config.transparency.witnesses),
            outdatedSecrets: async () => {
              const keyring = await readKeyring(config)
              refuseForeignSecret(await createSecretStore(engine).secretVersions(), keyring)
              return countOutdated(engine, keyring.current.version, sealedKinds(keyring))
            },
          })
        } finally {
          await engine.close()
        }
      },
    })
    return { checkedAt: isoOf(clock()), isHealthy: isHealthy(findings), findings }
  })
  return async (language: FindingLanguage) => {
    const { findings, ...report } = await read()
    return { ...report, findings: findings.map((finding) => findingIn(language, finding)) }
  }
}
