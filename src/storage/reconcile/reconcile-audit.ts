import type { AuditHead } from '../../audit/audit-entry.ts'
import type { AuditSource } from '../../audit/verify-chain.ts'
import { auditReads } from '../stores/administration/audit-rows.ts'
import type { Read } from './range.ts'

/** The whole audit log, a page at a time. Each page is read with the head of that moment, which must match the last one. */
export function auditSource(read: Read): AuditSource {
  const all = { by: null, action: null, object: null, fromAt: 0, toAt: Number.MAX_SAFE_INTEGER }
  let head: AuditHead | undefined
  return {
    head: async () => head,
    entriesAfter: (pastSeq, limit) =>
      read(async (tx) => {
        const { auditHead, auditEntries } = auditReads(tx)
        head = await auditHead()
        return auditEntries(all, { order: 'oldest first', pastSeq, limit })
      }),
  }
}
