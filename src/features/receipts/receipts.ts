import { isoOf, isoOrNull } from '../../base/time.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Engine, Reader } from '../../storage/engine.ts'
import type { Transparency } from '../transparency/feature.ts'
import { canonicalText, hashedEntry, type LedgerRow, saltOf } from '../transparency/leaves.ts'
import { findLeaves } from '../transparency/log-store.ts'
import type { Published } from '../transparency/publisher.ts'
import { entrySaltText } from '../transparency/sequencer.ts'
import { signJws } from '../transparency/signing-keys.ts'
import { consistencyProof, inclusionProof } from '../transparency/tree.ts'
import { entriesOfCharge, entriesOfOrder, findCharge, findEntry, findOrder } from './store.ts'

export interface ReceiptDeps extends Pick<Transparency, 'keys' | 'publisher' | 'tiles'> {
  readonly engine: Pick<Engine, 'read'>
  readonly issuer: string
  readonly clock: () => number
}

export type Receipts = ReturnType<typeof createReceipts>

/** What a receipt says about its subject. */
interface ReceiptSubject {
  readonly type: 'charge' | 'order' | 'grant' | 'withdrawal'
  readonly facts: object
  readonly rows: readonly LedgerRow[]
}

/** Signed receipts: what was charged, and where its ledger entries are in the public tree. */
export function createReceipts(deps: ReceiptDeps) {
  const { engine, keys, publisher, issuer, clock } = deps

  async function receipt(
    projectId: string,
    since: string | undefined,
    find: (tx: Reader) => Promise<ReceiptSubject>,
  ): Promise<string> {
    const { current, saltKey } = await keys.get()
    // Before the store, which then has at least this tree.
    const published = publisher.isSound() ? publisher.current() : null
    const body = await engine.read(async (tx) => {
      const { type, facts, rows } = await find(tx)
      const placed = await placesOf(tx, published, { rows, saltKey, tiles: deps.tiles })
      const isIncluded = placed.length > 0 && placed.every(({ index }) => index !== null)
      const checkpoint = isIncluded ? published : null
      return {
        type,
        issuer,
        issuedAt: isoOf(clock()),
        projectId,
        ...facts,
        entries: placed,
        status: isIncluded ? 'included' : 'pending',
        checkpoint: checkpoint?.note ?? null,
        ...(await consistencyOf(tx, deps, { since, published, checkpoint })),
      }
    })
    return signJws(current, 'receipt+jws', canonicalText(body))
  }

  async function chargeSubject(tx: Reader, projectId: string, chargeId: string): Promise<ReceiptSubject> {
    const charge = await findCharge(tx, projectId, chargeId)
    if (!charge) throw new Refusal('CHARGE_NOT_FOUND')
    const facts = {
      chargeId,
      operation: charge.operation,
      credits: charge.credits,
      pricingVersion: charge.pricingVersion,
      state: charge.state,
      createdAt: isoOf(charge.reservedAt),
      endedAt: isoOrNull(charge.endedAt),
      requestSha256: hexOf(charge.fingerprint),
      responseSha256: charge.responseSha256,
      idempotencyKeySha256: charge.idempotencyDigest === null ? null : hexOf(charge.idempotencyDigest),
      ...(charge.jobId !== null && { jobId: charge.jobId }),
    }
    return { type: 'charge', facts, rows: await entriesOfCharge(tx, projectId, chargeId) }
  }

  async function orderSubject(tx: Reader, projectId: string, orderId: string): Promise<ReceiptSubject> {
    const order = await findOrder(tx, projectId, orderId)
    if (!order) throw new Refusal('ORDER_NOT_FOUND')
    const { amountFen, credits, pricingVersion, state } = order
    const times = { createdAt: isoOf(order.createdAt), endedAt: isoOrNull(order.creditedAt) }
    const facts = { orderId, amountFen, credits, pricingVersion, state, ...times }
    return { type: 'order', facts, rows: await entriesOfOrder(tx, projectId, orderId) }
  }

  async function entrySubject(tx: Reader, projectId: string, seq: number): Promise<ReceiptSubject> {
    const entry = await findEntry(tx, projectId, seq)
    if (!entry) throw new Refusal('ENTRY_NOT_FOUND')
    if (entry.chargeId !== null) return chargeSubject(tx, projectId, entry.chargeId)
    if (entry.orderId !== null) return orderSubject(tx, projectId, entry.orderId)
    const type = entry.kind === 'withdraw' ? 'withdrawal' : 'grant'
    const facts = { seq, credits: entry.amount, reference: entry.reference, createdAt: isoOf(entry.at) }
    return { type, facts, rows: [entry] }
  }

  return {
    charge: (projectId: string, chargeId: string, since?: string): Promise<string> =>
      receipt(projectId, since, (tx) => chargeSubject(tx, projectId, chargeId)),
    order: (projectId: string, orderId: string, since?: string): Promise<string> =>
      receipt(projectId, since, (tx) => orderSubject(tx, projectId, orderId)),
    entry: (projectId: string, seq: number, since?: string): Promise<string> =>
      receipt(projectId, since, (tx) => entrySubject(tx, projectId, seq)),
  }
}

/** Digests are stored in base64url. */
const hexOf = (digest: string): string => Buffer.from(digest, 'base64url').toString('hex')

/** Entries with their salts, and those that are in the tree with their places and proofs. */
async function placesOf(
  tx: Reader,
  published: Published | null,
  {
    rows,
    saltKey,
    tiles,
  }: { readonly rows: readonly LedgerRow[]; readonly saltKey: Buffer } & Pick<ReceiptDeps, 'tiles'>,
) {
  const ids = rows.map(({ entryId }) => entryId)
  const leaves = published ? await findLeaves(tx, published.logNumber, ids) : null
  const placed = []
  for (const row of rows) {
    const leaf = leaves?.get(row.entryId)
    const salt = leaf?.salt ?? saltOf(saltKey, entrySaltText(row))
    const isIn = published && leaf && leaf.index < published.size
    const proof = isIn ? await inclusionProof(tiles.reader(tx, published.logNumber), leaf.index, published.size) : null
    placed.push({ entry: hashedEntry(row), salt, index: isIn ? leaf.index : null, proof: proof && inBase64(proof) })
  }
  return placed
}

const inBase64 = (hashes: readonly Buffer[]): string[] => hashes.map((hash) => hash.toString('base64'))

/** The proof that the tree still begins with the one that a payer saw, if asked for. */
export async function consistencyOf(
  tx: Reader,
  { tiles }: Pick<ReceiptDeps, 'tiles'>,
  {
    since,
    published,
    checkpoint,
  }: {
    readonly since: string | undefined
    readonly published: Published | null
    readonly checkpoint: Published | null
  },
): Promise<object> {
  if (since === undefined) return {}
  const size = /^(0|[1-9]\d{0,14})$/.test(since) ? Number(since) : Number.POSITIVE_INFINITY
  if (size > (published?.size ?? 0)) throw new Refusal('SINCE_INVALID')
  if (!checkpoint) return {}
  const proof = await consistencyProof(tiles.reader(tx, checkpoint.logNumber), size, checkpoint.size)
  return { consistency: { size, proof: inBase64(proof) } }
}
