import { minuteMs } from '../../base/time.ts'
import type { AuditHead } from '../../ledger/audit.ts'
import { defineFeature } from '../../ops/feature.ts'
import { inRounds, type Task } from '../../ops/maintenance.ts'
import type { Metrics } from '../../ops/metrics.ts'
import { type ProviderTally, watchedMinutes } from '../../providers/provider-watch.ts'
import { purgeExpired } from '../../storage/sql-text.ts'
import { totpContext } from './administration/operators.ts'
import { sumUpFailures } from './administration/sign-in.ts'
import { apiOperations } from './contract/operations.ts'
import { createProviderDay } from './provider-day.ts'
import { createProviderStates, type SwitchableProvider } from './provider-states.ts'
import { type AdministrationStore, createAdministrationStore } from './store/store.ts'

/** What every instance does for its operators, with or without an operator listener. */
export const operatorsFeature = defineFeature({
  name: 'operators',
  operatorOperations: apiOperations,
  sealed: () => [
    {
      ...{ name: 'operatorCodes', table: 'operators', id: 'name', context: totpContext },
      ...{ sealed: 'totp_sealed', keyVersion: 'totp_key_version' },
    },
  ],
  build({ engine, clock, logger, instanceId }, { providers }: { providers: readonly CountedProvider[] }) {
    const store = createAdministrationStore(engine)
    const auditHead = createAuditHeadWatch({ read: () => store.read((tx) => tx.auditHead()), logger })
    const states = createProviderStates({
      providers,
      readSwitches: () => store.read((tx) => tx.providerSwitches()),
      minutes: watchedMinutes,
    })
    const day = createProviderDay({ engine, providers, instanceId, clock })
    const tasks: Task[] = [
      // Recovery reports a store that is away; until it is back, the switches stay as they were.
      { name: 'provider-switches', everyMs: 1000, run: () => states.refresh().catch(() => {}) },
      { name: 'audit-head', everyMs: 10_000, run: auditHead.report },
      { name: 'provider-day', everyMs: minuteMs, run: day.store },
      { name: 'account-spending', everyMs: minuteMs, run: (stopping) => copySpending(store, stopping) },
      inRounds('purge-operator-sessions', (limit) => engine.write((tx) => purgeExpired(tx, sessions, clock(), limit))),
      inRounds('sum-up-sign-ins', (limit) => sumUpFailures({ store, clock }, limit)),
    ]
    return {
      states,
      day,
      tasks,
      copySpending: () => copySpending(store),
      registerMetrics: ({ gauge }: Metrics) =>
        gauge('gateway_audit_entries', 'Entries of the audit log; it never falls.', auditHead.entries),
    }
  },
})

const sessions = { table: 'operator_sessions', key: 'session_digest', expiresAt: 'expires_at' }

type CountedProvider = SwitchableProvider & { readonly watch: { readonly take: () => ProviderTally } }

/** Small enough that no call waits long for one of these writes. */
const projectsAtOnce = 500

/** Brings the list of accounts by spending up to date. */
async function copySpending(store: AdministrationStore, stopping?: AbortSignal): Promise<void> {
  let after: string | null = ''
  while (after !== null && !stopping?.aborted) {
    const from: string = after
    after = await store.write((tx) => tx.copySpending(from, projectsAtOnce))
  }
}

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
