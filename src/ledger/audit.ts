import { hash } from 'node:crypto'
import type { AuditAction, AuditedField } from '../contract/audit-actions.ts'

export type AuditChannel = 'web' | 'command line'

/** What an operator did, as the action's caller knows it. */
export interface AuditNote {
  readonly auditId: string
  readonly by: string
  readonly via: AuditChannel
  readonly action: AuditAction
  /** The id acted on; `auditActions` says of what. */
  readonly object: string
  readonly reason: string
}

/** The part of an object that an action changes; null if it did not exist, or if nothing changed. */
type AuditedState = Readonly<Partial<Record<AuditedField, string | number | boolean | null>>> | null

/** A note with the effect it had. */
export interface AuditRecord extends AuditNote {
  readonly at: number
  readonly before: AuditedState
  readonly after: AuditedState
}

/** A stored entry. States are JSON texts, so that a stored entry can be hashed again to the letter. */
export interface AuditEntry extends Omit<AuditNote, 'action'> {
  /** A newer program may have stored one that this one does not know. */
  readonly action: string
  readonly seq: number
  readonly at: number
  readonly before: string | null
  readonly after: string | null
  readonly previousHash: string
  readonly hash: string
}

/** The end of the chain: how many entries there are, and the hash of the last. */
export interface AuditHead {
  readonly entries: number
  readonly hash: string
}

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
function chainFaults(before: AuditHead, entry: AuditEntry): ChainFault[] {
  const at = `audit entry ${entry.seq}`
  const facts: [string, string | number, string | number][] = [
    ['number of the entry', before.entries + 1, entry.seq],
    ['hash of the entry before it', before.hash || 'none', entry.previousHash || 'none'],
    ['hash of its content', hashOf(entry), entry.hash],
  ]
  return facts.filter(isFault).map(([what, expected, found]) => ({ at, what, expected, found }))
}

/** Compares the last entry with the stored head: without it, missing last entries would go unnoticed. */
function headFaults(last: AuditHead, head: AuditHead | undefined): ChainFault[] {
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

export interface AuditSource {
  readonly head: () => Promise<AuditHead | undefined>
  /** In the order of their numbers. */
  readonly entriesAfter: (seq: number, limit: number) => Promise<AuditEntry[]>
}

export interface AuditReport {
  readonly isSound: boolean
  readonly entries: number
  /** Note it down elsewhere: someone who can rewrite the whole store cannot rewrite that. */
  readonly lastHash: string
  readonly faultCount: number
  readonly faults: readonly ChainFault[]
}

const pageRows = 1000
const maxFaults = 1000

/** Reads the whole log and hashes it again. After a fault it continues from the entry as it is, so that each is reported once. */
export async function verifyChain({ head, entriesAfter }: AuditSource): Promise<AuditReport> {
  const faults: ChainFault[] = []
  let faultCount = 0
  let entries = 0
  let last = emptyChain
  const add = (found: readonly ChainFault[]) => {
    faultCount += found.length
    faults.push(...found.slice(0, maxFaults - faults.length))
  }
  for (;;) {
    const page = await entriesAfter(last.entries, pageRows)
    for (const entry of page) {
      add(chainFaults(last, entry))
      last = headAfter(entry)
      entries += 1
    }
    if (page.length < pageRows) break
  }
  add(headFaults({ entries, hash: last.hash }, await head()))
  return { isSound: faultCount === 0, entries, lastHash: last.hash, faultCount, faults }
}

/** Null matches any. `fromAt` is inclusive, `toAt` exclusive. */
export interface AuditFilter {
  readonly by: string | null
  readonly action: string | null
  readonly object: string | null
  readonly fromAt: number
  readonly toAt: number
}

/** Entries past a number, in one direction. */
export interface AuditRange {
  readonly order: 'oldest first' | 'newest first'
  readonly pastSeq: number | null
  readonly limit: number
}
