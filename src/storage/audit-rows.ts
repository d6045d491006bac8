import {
  type AuditChannel,
  type AuditEntry,
  type AuditFilter,
  type AuditHead,
  type AuditRange,
  type AuditRecord,
  chainEntry,
} from '../ledger/audit.ts'
import { lockAuditHead } from './batch/rows.ts'
import type { Reader, Writer } from './engine.ts'
import { integer, orNull, rowMapper, text } from './row-mapper.ts'

const entries = rowMapper('audit_entries', {
  seq: integer(),
  auditId: text(),
  at: integer('acted_at'),
  by: text('acted_by'),
  via: text<AuditChannel>(),
  action: text(),
  object: text(),
  reason: text(),
  before: orNull(text('state_before')),
  after: orNull(text('state_after')),
  previousHash: text(),
  hash: text('entry_hash'),
})

export const auditReads = (tx: Reader) => ({
  auditHead: () => tx.get<AuditHead>('SELECT entries, last_hash AS "hash" FROM audit_head'),
  auditEntry: (auditId: string): Promise<AuditEntry | undefined> => entries.get(tx, 'WHERE audit_id = $1', [auditId]),
  auditEntries: (filter: AuditFilter, { order, pastSeq, limit }: AuditRange): Promise<AuditEntry[]> => {
    const { by, action, object, fromAt, toAt } = filter
    const isRising = order === 'oldest first'
    // Only the conditions that are asked for, so that each has the use of its index.
    const wanted = Object.entries({ acted_by: by, action, object }).filter(([, value]) => value !== null)
    const conditions = wanted.map(([column], index) => ` AND ${column} = $${index + 5}`).join('')
    const past = pastSeq ?? (isRising ? 0 : Number.MAX_SAFE_INTEGER)
    return entries.all(
      tx,
      `WHERE seq ${isRising ? '>' : '<'} $1 AND acted_at >= $3 AND acted_at < $4
      ${conditions} ORDER BY seq ${isRising ? '' : 'DESC'} LIMIT $2`,
      [past, limit, fromAt, toAt, ...wanted.map(([, value]) => value)],
    )
  },
})

export const auditWrites = (tx: Writer) => ({
  /** Locks the audit log until this write ends, so that no other operator acts. Lock balances and approvals first. */
  holdAudit: () => tx.get<AuditHead>(lockAuditHead),
  /** Adds an entry to the audit log, and holds the log until this write ends: lock balances and approvals before. */
  audit: async (record: AuditRecord): Promise<AuditEntry> => {
    const head = await tx.get<AuditHead>(lockAuditHead)
    if (!head) throw new Error('the end of the audit log is missing; run audit verify')
    const entry = chainEntry(head, record)
    await entries.insert(tx, entry)
    await tx.run('UPDATE audit_head SET entries = $1, last_hash = $2', [entry.seq, entry.hash])
    return entry
  },
})
