import type { Reader } from '../../../storage/engine.ts'
import { saltedLeaf } from './leaves.ts'
import { currentLog, tileReader } from './log-store.ts'
import { publishedOf } from './publisher.ts'
import { hashBytes, inclusionProof, tileWidth } from './tree.ts'

export interface AnchoredHead {
  readonly day: string
  readonly count: number
  readonly hash: string
  readonly index: number
  readonly salt: string
  readonly body: string
  /** Whether the leaf is the one whose hash is in the tree. */
  readonly isIntact: boolean
}

/** The audit heads that are in the tree, the oldest first: one for each day that had a batch. */
export async function anchoredHeads(tx: Reader): Promise<AnchoredHead[]> {
  const { logNumber } = await currentLog(tx)
  const rows = await tx.all<{ index: number; salt: string; body: string }>(
    `SELECT leaf_index AS "index", salt, body FROM transparency_leaves
    WHERE log_number = $1 AND body IS NOT NULL ORDER BY leaf_index`,
    [logNumber],
  )
  const read = tileReader(tx, logNumber)
  const heads: AnchoredHead[] = []
  for (const row of rows) {
    const { type, day, count, hash } = JSON.parse(row.body)
    if (type !== 'audit.head') continue
    const offset = row.index % tileWidth
    const tile = await read(0, Math.floor(row.index / tileWidth), offset + 1)
    const stored = Buffer.from(tile.subarray(offset * hashBytes, (offset + 1) * hashBytes))
    heads.push({ day, count, hash, ...row, isIntact: saltedLeaf(row.body, row.salt).equals(stored) })
  }
  return heads
}

/** Where the audit head of a day is in the tree, with its proof; null if it is not there or no checkpoint has it. */
export async function proveHead(tx: Reader, day: string) {
  const head = (await anchoredHeads(tx)).find((one) => one.day === day)
  const log = await currentLog(tx)
  const checkpoint = publishedOf(log.checkpoint)
  if (!head || !checkpoint || head.index >= checkpoint.size) return null
  const proof = await inclusionProof(tileReader(tx, log.logNumber), head.index, checkpoint.size)
  return {
    entry: JSON.parse(head.body) as Readonly<Record<string, string | number>>,
    salt: head.salt,
    index: head.index,
    proof: proof.map((hash) => hash.toString('base64')),
    checkpoint: checkpoint.note,
  }
}
