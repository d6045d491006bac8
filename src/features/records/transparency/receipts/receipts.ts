import type { KeyObject } from 'node:crypto'
import { isoOf, isoOrNull } from '../../../../base/time.ts'
import { Refusal } from '../../../../contract/errors.ts'
import type { Engine, Reader } from '../../../../storage/engine.ts'
import type { ArchivedReads } from '../../archives/archived-reads.ts'
import type { Transparency } from '../feature.ts'
import { canonicalText, entrySaltText, hashedEntry, type LedgerRow, saltOf } from '../leaves.ts'
import { findLeaves } from '../log-store.ts'
import type { Published } from '../publisher.ts'
import { signJws } from '../signing-keys.ts'
import { consistencyProof, inclusionProof } from '../tree.ts'
import { archivedReceiptCharge, chargeFacts, findCharge } from './charge-facts.ts'
import { entriesOfCharge, entriesOfOrder, findEntry, findOrder, lotsOfOrder, type PlacedEntry, rowOf } from './store.ts'

export interface ReceiptDeps extends Pick<Transparency, 'keys' | 'publisher' | 'tiles'> {
  readonly engine: Pick<Engine, 'read'>
  readonly archivedReads: Pick<ArchivedReads, 'subject' | 'entriesFrom' | 'firstNotBefore' | 'archived'>
  readonly issuer: string
  readonly clock: () => number
}

export type Receipts = ReturnType<typeof createReceipts>

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
    find: () => Promise<ReceiptSubject>,
  ): Promise<string> {
    const { current, saltKey } = await keys.get()
    // Read before the store, which then has at least this tree.
    const published = publisher.isSound() ? publisher.current() : null
    const { type, facts, rows } = await find()
    const body = await engine.read(async (tx) => {
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
        ...(await consistencyOf(tx, deps, { since, checkpoint })),
      }
    })
    return signJws(current, 'receipt+jws', canonicalText(body))
  }

  /** What was archived is read from its page: the tree still has its leaves. */
  async function archivedRows(projectId: string, subjectId: string): Promise<LedgerRow[]> {
    return (await deps.archivedReads.subject(projectId, subjectId))?.entries.map(rowOf) ?? []
  }

  async function chargeSubject(projectId: string, chargeId: string): Promise<ReceiptSubject> {
    const found = await engine.read(async (tx) => {
      const charge = await findCharge(tx, projectId, chargeId)
      return charge && { charge, rows: await entriesOfCharge(tx, projectId, chargeId) }
    })
    if (!found) return archivedCharge(projectId, chargeId)
    const { charge, rows } = found
    // The reservation of a charge that ended later may be archived before it.
    const isWhole = rows.some(({ kind }) => kind === 'reserve')
    const before = isWhole ? [] : await archivedRows(projectId, chargeId)
    return { type: 'charge', facts: chargeFacts(charge), rows: [...before, ...rows] }
  }

  async function archivedCharge(projectId: string, chargeId: string): Promise<ReceiptSubject> {
    const found = await deps.archivedReads.subject(projectId, chargeId)
    if (!found?.charge) throw new Refusal('CHARGE_NOT_FOUND')
    return { type: 'charge', facts: chargeFacts(archivedReceiptCharge(found.charge)), rows: found.entries.map(rowOf) }
  }

  async function orderSubject(projectId: string, orderId: string): Promise<ReceiptSubject> {
    const found = await engine.read(async (tx) => {
      const order = await findOrder(tx, projectId, orderId)
      return (
        order && { order, lots: await lotsOfOrder(tx, orderId), rows: await entriesOfOrder(tx, projectId, orderId) }
      )
    })
    if (!found) throw new Refusal('ORDER_NOT_FOUND')
    const { order, lots, rows } = found
    const isWhole = lots.length === 0 || rows.some(({ kind }) => kind === 'credit')
    const before = isWhole ? [] : (await Promise.all(lots.map((lotId) => archivedRows(projectId, lotId)))).flat()
    const { amountFen, credits, pricingVersion, state } = order
    const times = { createdAt: isoOf(order.createdAt), endedAt: isoOrNull(order.creditedAt) }
    return {
      type: 'order',
      facts: { orderId, amountFen, credits, pricingVersion, state, ...times },
      rows: [...before, ...rows],
    }
  }

  async function entrySubject(projectId: string, seq: number): Promise<ReceiptSubject> {
    const entry = (await engine.read((tx) => findEntry(tx, projectId, seq))) ?? (await archivedEntry(projectId, seq))
    if (!entry) throw new Refusal('ENTRY_NOT_FOUND')
    if (entry.chargeId !== null) return chargeSubject(projectId, entry.chargeId)
    if (entry.orderId !== null) return orderSubject(projectId, entry.orderId)
    const type = entry.kind === 'withdraw' ? 'withdrawal' : 'grant'
    const facts = { seq, credits: entry.amount, reference: entry.reference, createdAt: isoOf(entry.at) }
    return { type, facts, rows: [entry] }
  }

  async function archivedEntry(projectId: string, seq: number): Promise<PlacedEntry | undefined> {
    const [entry] = (await deps.archivedReads.entriesFrom(projectId, seq)) ?? []
    return entry?.seq === seq ? { ...rowOf(entry), orderId: entry.orderId, reference: entry.reference } : undefined
  }

  return {
    charge: (projectId: string, chargeId: string, since?: string): Promise<string> =>
      receipt(projectId, since, () => chargeSubject(projectId, chargeId)),
    /** The key of an archived charge; null if it is not archived. */
    archivedKey: async (projectId: string, chargeId: string): Promise<string | null> =>
      (await deps.archivedReads.subject(projectId, chargeId))?.charge?.keyId ?? null,
    order: (projectId: string, orderId: string, since?: string): Promise<string> =>
      receipt(projectId, since, () => orderSubject(projectId, orderId)),
    entry: (projectId: string, seq: number, since?: string): Promise<string> =>
      receipt(projectId, since, () => entrySubject(projectId, seq)),
  }
}

/** Entries with their salts, and those that are in the tree with their places and proofs. */
async function placesOf(
  tx: Reader,
  published: Published | null,
  {
    rows,
    saltKey,
    tiles,
  }: { readonly rows: readonly LedgerRow[]; readonly saltKey: KeyObject } & Pick<ReceiptDeps, 'tiles'>,
) {
  const leaves = published ? await findLeaves(tx, published.logNumber, rows) : null
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
  { tiles, publisher }: Pick<ReceiptDeps, 'tiles' | 'publisher'>,
  { since, checkpoint }: { readonly since: string | undefined; readonly checkpoint: Published | null },
): Promise<object> {
  if (since === undefined) return {}
  const size = /^(0|[1-9]\d{0,14})$/.test(since) ? Number(since) : Number.POSITIVE_INFINITY
  // While the log is refused, the kept checkpoint is still known, and the receipt is pending.
  if (size > (publisher.current()?.size ?? 0)) throw new Refusal('SINCE_INVALID')
  if (!checkpoint || size > checkpoint.size) return {}
  const proof = await consistencyProof(tiles.reader(tx, checkpoint.logNumber), size, checkpoint.size)
  return { consistency: { size, proof: inBase64(proof) } }
}
