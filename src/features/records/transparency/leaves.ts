import type { KeyObject } from 'node:crypto'
import canonicalize from 'canonicalize'
import { isoOf } from '../../../base/time.ts'
import { hashBytes, leafHash, writeHash } from './tree.ts'

export interface LedgerRow {
  readonly entryId: number
  readonly projectId: string
  readonly seq: number
  readonly kind: string
  readonly amount: number
  readonly available: number
  readonly reserved: number
  readonly chargeId: string | null
  readonly lotId: string | null
  readonly at: number
}

export const ledgerRowColumns = `e.entry_id AS "entryId", e.project_id AS "projectId", e.seq, e.kind, e.amount, e.available,
  e.reserved, e.charge_id AS "chargeId", e.lot_id AS "lotId", e.entered_at AS at`

/** A ledger entry as it is hashed and as receipts show it. Never change it: every leaf would differ. */
export const hashedEntry = (row: LedgerRow) => ({
  entryId: row.entryId,
  projectId: row.projectId,
  seq: row.seq,
  kind: row.kind,
  amount: row.amount,
  available: row.available,
  reserved: row.reserved,
  chargeId: row.chargeId,
  creditLotId: row.lotId,
  enteredAt: isoOf(row.at),
})

export const canonicalText = (value: object): string => canonicalize(value)!

export const entryText = (row: LedgerRow): string => canonicalText(hashedEntry(row))

/** What the salt of an entry is derived from. */
export const entrySaltText = ({ projectId, seq }: Pick<LedgerRow, 'projectId' | 'seq'>): string => `${projectId}/${seq}`

/** Length of a salt in base64. */
export const saltLength = 24
const saltBytes = 16

/**
 * 16 unguessable bytes in base64. Derived, not random: an entry has its salt from the moment it is committed, and writing it
 * costs a call nothing. It is stored with the leaf.
 */
export const saltOf = (saltKey: KeyObject, text: string): string => saltBytesOf(saltKey, text).toString('base64')

/** Valid until the next call. */
export function saltBytesOf(saltKey: KeyObject, text: string): Buffer {
  let derive = derivations.get(saltKey)
  if (!derive) {
    derive = hmacOf(saltKey.export())
    derivations.set(saltKey, derive)
  }
  return derive(text).subarray(0, saltBytes)
}

const derivations = new WeakMap<KeyObject, (text: string) => Buffer>()

/** HMAC-SHA256 by its definition in RFC 2104: `createHmac` takes five times as long. The result is valid until the next call. */
function hmacOf(key: Uint8Array): (text: string) => Buffer {
  const padded = Buffer.concat([key], blockBytes)
  const outer = Buffer.alloc(blockBytes + hashBytes)
  outer.set(padded.map((byte) => byte ^ 0x5c))
  let inner = Buffer.from(padded.map((byte) => byte ^ 0x36))
  const result = Buffer.alloc(hashBytes)
  return (text) => {
    const length = Buffer.byteLength(text)
    if (inner.length < blockBytes + length) inner = Buffer.concat([inner], blockBytes + 2 * length)
    inner.write(text, blockBytes)
    writeHash(inner.subarray(0, blockBytes + length), outer, blockBytes)
    writeHash(outer, result, 0)
    return result
  }
}

const blockBytes = 64

/** SHA-256 of 0x00, the canonical text and the salt. */
export const saltedLeaf = (text: string, salt: string): Buffer =>
  leafHash(Buffer.from(text), Buffer.from(salt, 'base64'))
