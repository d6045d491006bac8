import type { AdministrationReader, AdministrationWriter } from '../../../administration/ports.ts'
import type { AuditEntry, AuditHead } from '../../../audit/audit-entry.ts'
import { chainEntry } from '../../../audit/chain.ts'
import { lockAuditHead } from '../../books/book-rows.ts'
import type { Reader, Writer } from '../../engine.ts'

const columns = `seq, audit_id AS "auditId", acted_at AS "at", acted_by AS "by", via, action, object, reason,
  state_before AS "before", state_after AS "after", previous_hash AS "previousHash", entry_hash AS "hash"`

export function auditReads(tx: Reader): Pick<AdministrationReader, 'auditHead' | 'auditEntry' | 'auditEntries'> {
  return {
    auditHead: () => tx.get<AuditHead>('SELECT entries, last_hash AS "hash" FROM audit_head'),
    auditEntry: (auditId) => tx.get<AuditEntry>(`SELECT ${columns} FROM audit_entries WHERE audit_id = $1`, [auditId]),
    auditEntries: ({ by, action, object, fromAt, toAt }, { order, pastSeq, limit }) => {
      const isRising = order === 'oldest first'
      // Only the conditions that are asked for, so that each has the use of its index.
      const wanted = Object.entries({ acted_by: by, action, object }).filter(([, value]) => value !== null)
      const conditions = wanted.map(([column], index) => ` AND ${column} = $${index + 5}`).join('')
      return tx.all<AuditEntry>(
        `SELECT ${columns} FROM audit_entries WHERE seq ${isRising ? '>' : '<'} $1 AND acted_at >= $3 AND acted_at < $4
        ${conditions} ORDER BY seq ${isRising ? '' : 'DESC'} LIMIT $2`,
        [
          pastSeq ?? (isRising ? 0 : Number.MAX_SAFE_INTEGER),
          limit,
          fromAt,
          toAt,
          ...wanted.map(([, value]) => value as string),
        ],
      )
    },
  }
}

export function auditWrites(tx: Writer): Pick<AdministrationWriter, 'audit'> {
  return {
    audit: async (record) => {
      const head = await tx.get<AuditHead>(lockAuditHead)
      if (!head) throw new Error('the end of the audit log is missing; run audit verify')
      const entry = chainEntry(head, record)
      await tx.run(
        `INSERT INTO audit_entries (seq, audit_id, acted_at, acted_by, via, action, object, reason, state_before, state_after,
          previous_hash, entry_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        [
          entry.seq,
          entry.auditId,
          entry.at,
          entry.by,
          entry.via,
          entry.action,
          entry.object,
          entry.reason,
          entry.before,
          entry.after,
          entry.previousHash,
          entry.hash,
        ],
      )
      await tx.run('UPDATE audit_head SET entries = $1, last_hash = $2', [entry.seq, entry.hash])
      return entry
    },
  }
}
