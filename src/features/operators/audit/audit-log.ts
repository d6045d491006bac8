import type { AuditFilter, AuditRange } from '../../../ledger/audit.ts'
import {
  type AuditEntry,
  type AuditRecord,
  type AuditReport,
  type ChainFault,
  verifyChain,
} from '../../../ledger/audit.ts'
import { type Actor, noteOf } from '../../../operator-kit/actor.ts'
import { type PageOfRows, pageOf } from '../../../storage/sql-text.ts'
import type { Acting, Reading } from '../deps.ts'

export interface AuditQuery extends Partial<AuditFilter> {
  readonly order?: AuditRange['order']
  readonly after?: string | undefined
  readonly limit: number
}

export function listAudit({ store }: Reading, query: AuditQuery): Promise<PageOfRows<AuditEntry>> {
  const { order = 'oldest first', after, limit, ...wanted } = query
  return store.read(async (tx) => {
    const last = after === undefined ? undefined : await tx.auditEntry(after)
    if (after !== undefined && !last) return { rows: [], next: null }
    const range = { order, pastSeq: last?.seq ?? null, limit: limit + 1 }
    return pageOf(await tx.auditEntries({ ...anything, ...wanted }, range), limit, ({ auditId }) => auditId)
  })
}

const anything: AuditFilter = { by: null, action: null, object: null, fromAt: 0, toAt: Number.MAX_SAFE_INTEGER }

/** An entry that was noted down elsewhere. */
export type NotedEntry = Pick<AuditEntry, 'seq' | 'hash'>

const maxFaults = 1000

/** Hashes the whole log again, as of one moment, and looks for what the books say operators did, for the noted entries and for the daily heads in the tree. */
export const verifyAudit = ({ store }: Reading, noted: readonly NotedEntry[] = []): Promise<AuditReport> =>
  store.read(async (tx) => {
    const entriesAfter = (pastSeq: number, limit: number) =>
      tx.auditEntries(anything, { order: 'oldest first', pastSeq, limit })
    const report = await verifyChain({ head: () => tx.auditHead(), entriesAfter })
    const more: ChainFault[] = await tx.missingAuditEntries(maxFaults)
    const anchored = await tx.anchoredHeads()
    for (const { index, isIntact } of anchored) {
      if (!isIntact)
        more.push({ at: `leaf ${index}`, what: 'audit head in the tree', expected: 'as hashed', found: 'changed' })
    }
    const heads = anchored.filter(({ count }) => count > 0).map(({ count, hash }) => ({ seq: count, hash }))
    for (const { seq, hash } of [...noted, ...heads]) {
      const found = (await entriesAfter(seq - 1, 1)).find((entry) => entry.seq === seq)?.hash ?? 'none'
      if (found !== hash)
        more.push({ at: `audit entry ${seq}`, what: 'hash that was noted down', expected: hash, found })
    }
    const faultCount = report.faultCount + more.length
    return { ...report, isSound: faultCount === 0, faultCount, faults: [...report.faults, ...more] }
  })

/** Records something that changes nothing else, such as a sign-in or a refused attempt. */
export function recordAudit(
  { store, clock }: Acting,
  actor: Actor,
  given: Pick<AuditRecord, 'action' | 'object' | 'reason'>,
): Promise<AuditEntry> {
  const at = clock()
  return store.write((tx) => tx.audit({ ...noteOf(actor, given, at), at, before: null, after: null }))
}
