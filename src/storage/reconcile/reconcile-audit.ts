import type { AuditSource } from '../../audit/verify-chain.ts'
import type { Reader } from '../engine.ts'
import { auditReads } from '../stores/administration/audit-rows.ts'

/** The whole audit log, a page at a time. */
export function auditSource(tx: Reader): AuditSource {
  const { auditHead, auditEntries } = auditReads(tx)
  const all = { by: null, action: null, object: null, fromAt: 0, toAt: Number.MAX_SAFE_INTEGER }
  return {
    head: auditHead,
    entriesAfter: (pastSeq, limit) => auditEntries(all, { order: 'oldest first', pastSeq, limit }),
  }
}
