import { hash } from 'node:crypto'
import type { AuditEntry, AuditHead, AuditRecord } from './audit-entry.ts'

/** Appends a record to the chain. Its hash covers all of its fields and the hash of the entry before it. */
export function chainEntry(head: AuditHead, { before, after, ...record }: AuditRecord): AuditEntry {
  const entry = {
    ...record,
    seq: head.entries + 1,
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
    previousHash: head.hash,
  }
  return { ...entry, hash: hashOf(entry) }
}

export const headAfter = ({ seq, hash }: AuditEntry): AuditHead => ({ entries: seq, hash })

export interface ChainFault {
  readonly at: string
  readonly what: string
  readonly expected: string | number
  readonly found: string | number
}

/** Compares an entry with the one before it and with its own hash. */
export function chainFaults(before: AuditHead, entry: AuditEntry): ChainFault[] {
  const at = `audit entry ${entry.seq}`
  const facts: [string, string | number, string | number][] = [
    ['number of the entry', before.entries + 1, entry.seq],
    ['hash of the entry before it', before.hash || 'none', entry.previousHash || 'none'],
    ['hash of its content', hashOf(entry), entry.hash],
  ]
  return facts.filter(isFault).map(([what, expected, found]) => ({ at, what, expected, found }))
}

/** Compares the last entry with the stored head: without it, nobody would miss the last entries. */
export function headFaults(last: AuditHead, head: AuditHead | undefined): ChainFault[] {
  const at = 'end of the audit log'
  if (!head) return [{ at, what: 'record of the end', expected: 'one', found: 'none' }]
  const facts: [string, string | number, string | number][] = [
    ['number of entries', head.entries, last.entries],
    ['hash of the last entry', head.hash || 'none', last.hash || 'none'],
  ]
  return facts.filter(isFault).map(([what, expected, found]) => ({ at, what, expected, found }))
}

export const emptyChain: AuditHead = { entries: 0, hash: '' }

const isFault = ([, expected, found]: readonly [string, string | number, string | number]) => expected !== found

/** A JSON array in a fixed order: no two different entries have the same text. */
const hashOf = (entry: Omit<AuditEntry, 'hash'>): string =>
  hash(
    'sha256',
    JSON.stringify([
      entry.previousHash,
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
    ]),
  )
