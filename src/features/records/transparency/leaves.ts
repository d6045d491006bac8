import { createHmac, type KeyObject } from 'node:crypto'
import canonicalize from 'canonicalize'
import { isoOf } from '../../../base/time.ts'
import { leafHash } from './tree.ts'

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

/**
 * 16 unguessable bytes in base64. Derived, not random: an entry has its salt from the moment it is committed, and
 * writing it costs a call nothing. It is stored with the leaf.
 */
export const saltOf = (saltKey: KeyObject, text: string): string =>
  createHmac('sha256', saltKey).update(text).digest().subarray(0, 16).toString('base64')

/** SHA-256 of 0x00, the canonical text and the salt. */
export const saltedLeaf = (text: string, salt: string): Buffer =>
  leafHash(Buffer.from(text), Buffer.from(salt, 'base64'))
