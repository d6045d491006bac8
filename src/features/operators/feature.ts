import type { Keyring } from '../../base/keyring.ts'
import { minuteMs } from '../../base/time.ts'
import type { AuditHead } from '../../ledger/audit.ts'
import type { ApprovalHandler } from '../../operator-kit/approvals.ts'
import { defineFeature } from '../../ops/feature.ts'
import { inRounds, type Task } from '../../ops/maintenance.ts'
import type { MetricSample, Metrics } from '../../ops/metrics.ts'
import type { SealedKind } from '../../ops/secrets.ts'
import { type CallCounts, type ProviderTally, watchedMinutes } from '../../providers/provider-watch.ts'
import { purgeExpired } from '../../storage/sql-text.ts'
import type { MoneySums } from '../billing/payments/store/sums.ts'
import type { Accounts } from '../identity/accounts/feature.ts'
import type { ReconcileRuns } from '../records/reconcile/runs.ts'
import { operatorHandlers } from './access/handlers.ts'
import { totpContext } from './access/operators.ts'
import { sumUpFailures } from './access/sign-in.ts'
import { approvalsHandlers } from './approvals/approvals.ts'
import { auditHandlers } from './audit/handlers.ts'
import { apiOperations } from './contract.ts'
import { actingOn } from './deps.ts'
import { createListener, type Served } from './listener/listener.ts'
import type { Activity } from './overview/activity.ts'
import { createOverview } from './overview/overview.ts'
import { providerHandlers } from './providers/handlers.ts'
import { createProviderDay } from './providers/provider-day.ts'
import { createProviderStates, type SwitchableProvider } from './providers/provider-states.ts'
import { createDoctor } from './settings/doctor.ts'
import { settingHandlers } from './settings/handlers.ts'

export interface OperatorsDeps {
  readonly accounts: Accounts
  readonly providers: readonly CountedProvider[]
  readonly activity: Activity
  readonly money: MoneySums
  readonly runs: ReconcileRuns
  /** Of every feature that requests approvals. */
  readonly approvalHandlers: readonly ApprovalHandler[]
  /** Everything in the store that is sealed. */
  readonly sealedKinds: (keyring: Keyring) => readonly SealedKind[]
}

/** Who may operate the gateway, and what operators see of all of it. */
export const operatorsFeature = defineFeature({
  name: 'operators',
  operatorOperations: apiOperations,
  sealed: () => [
    {
      ...{ name: 'operatorCodes', table: 'operators', id: 'name', context: totpContext },
      ...{ sealed: 'totp_sealed', keyVersion: 'totp_key_version' },
    },
  ],
  build(context, { accounts, providers, activity, money, runs, approvalHandlers, sealedKinds }: OperatorsDeps) {
    const { config, engine, lease, clock, logger, instanceId } = context
    const acting = actingOn(context, { passwords: accounts.passwords, approvalHandlers })
    const { store } = acting
    const auditHead = createAuditHeadWatch({ read: () => store.read((tx) => tx.auditHead()), logger })
    const readSwitches = () => store.read((tx) => tx.providerSwitches())
    const states = createProviderStates({ providers, readSwitches, minutes: watchedMinutes })
    const day = createProviderDay({ engine, providers, instanceId, clock })
    const tasks: Task[] = [
      // Recovery reports a store that is away; until it is back, the switches stay as they were.
      { name: 'provider-switches', everyMs: 1000, run: () => states.refresh().catch(() => {}) },
      { name: 'audit-head', everyMs: 10_000, run: auditHead.report },
      { name: 'provider-day', everyMs: minuteMs, run: day.store },
      inRounds('purge-operator-sessions', (limit) => engine.write((tx) => purgeExpired(tx, sessions, clock(), limit))),
      inRounds('sum-up-sign-ins', (limit) => sumUpFailures({ store, clock }, limit)),
    ]
    return {
      states,
      day,
      tasks,
      operatorHandlers: [
        ...operatorHandlers(acting),
        ...approvalsHandlers(acting),
        ...auditHandlers(acting),
        ...providerHandlers({ acting, states, day }),
        ...settingHandlers(config, createDoctor(context, sealedKinds)),
      ],
      /** What the operator listener serves, and its sign-ins. */
      listen: (served: Served) => {
        const overview = createOverview({
          ...{ engine, activity, providers: states, runs, lease, clock, money },
        })
        return createListener({ config, clock, acting, accounts, overview }, served)
      },
      registerMetrics({ gauge, samples }: Metrics) {
        gauge('gateway_audit_entries', 'Entries of the audit log; it never falls.', auditHead.entries)
        samples(providerCalls, () => providers.flatMap(callSamples))
      },
    }
  },
})

const sessions = { table: 'operator_sessions', key: 'session_digest', expiresAt: 'expires_at' }

type CountedProvider = SwitchableProvider & {
  readonly watch: { readonly take: () => ProviderTally; readonly totals: Readonly<CallCounts> }
}

const providerCalls = {
  type: 'counter',
  name: 'gateway_provider_calls_total',
  help: 'Calls of providers by result.',
  labels: ['kind', 'provider', 'result'],
} as const

const callSamples = ({ kind, name, watch }: CountedProvider): MetricSample[] =>
  Object.entries(watch.totals).map(([result, value]) => ({ labels: { kind, provider: name, result }, value }))

export type Operators = ReturnType<typeof operatorsFeature.build>

interface AuditHeadDeps {
  readonly read: () => Promise<AuditHead | undefined>
  readonly logger: { info(fields: object, message: string): void }
}

/** Logs the end of the audit log whenever it has moved, so that a copy of the log shows entries that were cut off. */
export function createAuditHeadWatch({ read, logger }: AuditHeadDeps) {
  let logged = ''
  return {
    /** At most one line per call, however many entries there are. */
    async report(): Promise<void> {
      const head = await read()
      if (!head || head.hash === logged) return
      logged = head.hash
      logger.info({ auditEntry: `${head.entries}:${head.hash}` }, 'the audit log has a new last entry')
    },
    entries: async () => (await read())?.entries ?? Number.NaN,
  }
}
