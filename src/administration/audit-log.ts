import type { AuditEntry, AuditRecord } from '../audit/audit-entry.ts'
import { type AuditReport, verifyChain } from '../audit/verify-chain.ts'
import { type Actor, noteOf } from './actor.ts'
import type { AdministrationDeps } from './deps.ts'
import type { AuditFilter, AuditPlace } from './ports.ts'

export interface AuditQuery extends Partial<AuditFilter> {
  readonly order?: AuditPlace['order']
  /** Continue after this entry. */
  readonly after?: string | undefined
  readonly limit: number
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[]
  /** Where the next page begins; null if there is none. */
  readonly nextAfter: string | null
}

type Reading = Pick<AdministrationDeps, 'store'>

export function listAudit({ store }: Reading, query: AuditQuery): Promise<AuditPage> {
  const { order = 'oldest first', after, limit, ...wanted } = query
  return store.read(async (tx) => {
    const last = after === undefined ? undefined : await tx.auditEntry(after)
    if (after !== undefined && !last) return { entries: [], nextAfter: null }
    const page = await tx.auditEntries(
      { ...anything, ...wanted },
      { order, pastSeq: last?.seq ?? null, limit: limit + 1 },
    )
    const entries = page.slice(0, limit)
    return { entries, nextAfter: page.length > limit ? entries.at(-1)!.auditId : null }
  })
}

const anything: AuditFilter = { by: null, action: null, object: null, fromAt: 0, toAt: Number.MAX_SAFE_INTEGER }

/** Hashes the whole log again, as of one moment. */
export const verifyAudit = ({ store }: Reading): Promise<AuditReport> =>
  store.read((tx) =>
    verifyChain({
      head: () => tx.auditHead(),
      entriesAfter: (pastSeq, limit) => tx.auditEntries(anything, { order: 'oldest first', pastSeq, limit }),
    }),
  )

/** Records something that changes nothing else, such as a sign-in or a refused attempt. */
export function recordAudit(
  { store, clock }: Pick<AdministrationDeps, 'store' | 'clock'>,
  actor: Actor,
  given: Pick<AuditRecord, 'action' | 'object' | 'reason'>,
): Promise<AuditEntry> {
  const at = clock()
  return store.write((tx) => tx.audit({ ...noteOf(actor, given, at), at, before: null, after: null }))
}
