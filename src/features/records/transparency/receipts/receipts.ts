import type { KeyObject } from 'node:crypto'
import { isoOf } from '../../../../base/time.ts'
import { Refusal } from '../../../../contract/errors.ts'
import type { Engine, Reader } from '../../../../storage/engine.ts'
import type { ArchivedReads } from '../../archives/archived-reads.ts'
import type { Transparency } from '../feature.ts'
import { canonicalText, entrySaltText, hashedEntry, type LedgerRow, saltedLeaf, saltOf } from '../leaves.ts'
import { findLeaves } from '../log-store.ts'
import type { Published } from '../publisher.ts'
import { signJws } from '../signing-keys.ts'
import { consistencyProof, inclusionProof } from '../tree.ts'
import { showsBalance } from './store.ts'
import { createSubjects, type ReceiptSubject } from './subjects.ts'

export interface ReceiptDeps extends Pick<Transparency, 'keys' | 'publisher' | 'tiles'> {
  readonly engine: Pick<Engine, 'read'>
  readonly archivedReads: Pick<ArchivedReads, 'subject' | 'entriesFrom' | 'firstNotBefore' | 'archived'>
  readonly issuer: string
  readonly clock: () => number
}

export type Receipts = ReturnType<typeof createReceipts>

/** The key that reads a receipt, instead of the owner of the project: its own key, if it names none. */
interface ReadingKey {
  readonly keyId?: string
}

/** Signed receipts: what was charged, and where its ledger entries are in the public tree. */
export function createReceipts(deps: ReceiptDeps) {
  const { engine, keys, publisher, issuer, clock } = deps
  const subjects = createSubjects(deps)

  async function receipt(
    projectId: string,
    since: string | undefined,
    find: () => Promise<ReceiptSubject>,
    reader?: ReadingKey,
  ): Promise<string> {
    const { current, saltKey } = await keys.get()
    // Read before the store, which then has at least this tree.
    const published = publisher.isSound() ? publisher.current() : null
    const { type, facts, rows, keyId } = await find()
    const readBy = reader && (reader.keyId ?? keyId)
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
        entries: readBy === undefined || (await showsBalance(tx, readBy)) ? placed : placed.map(withoutBalance),
        status: isIncluded ? 'included' : 'pending',
        checkpoint: checkpoint?.note ?? null,
        ...(await consistencyOf(tx, deps, { since, checkpoint })),
      }
    })
    return signJws(current, 'receipt+jws', canonicalText(body))
  }

  return {
    charge: (projectId: string, chargeId: string, since?: string, reader?: ReadingKey): Promise<string> =>
      receipt(projectId, since, () => subjects.charge(projectId, chargeId), reader),
    /** As the key may see it that made the call. */
    ofCall: (projectId: string, chargeId: string): Promise<string> =>
      receipt(projectId, undefined, () => subjects.charge(projectId, chargeId), {}),
    /** The key of an archived charge; null if it is not archived. */
    archivedKey: async (projectId: string, chargeId: string): Promise<string | null> =>
      (await deps.archivedReads.subject(projectId, chargeId))?.charge?.keyId ?? null,
    order: (projectId: string, orderId: string, since?: string): Promise<string> =>
      receipt(projectId, since, () => subjects.order(projectId, orderId)),
    entry: (projectId: string, seq: number, since?: string): Promise<string> =>
      receipt(projectId, since, () => subjects.entry(projectId, seq)),
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

type Placed = Awaited<ReturnType<typeof placesOf>>[number]

/** The hash of an entry instead of the entry, whose balance the key may not read. Its place in the tree can still be proven. */
function withoutBalance({ entry, salt, index, proof }: Placed) {
  const leaf = saltedLeaf(canonicalText(entry), salt).toString('base64')
  return { kind: entry.kind, seq: entry.seq, leaf, index, proof }
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
