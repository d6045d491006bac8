import type { KeyObject } from 'node:crypto'
import { entrySaltText, entryText, type LedgerRow, saltedLeaf, saltLength, saltOf } from './leaves.ts'
import { appendLeaves, hashBytes, type RightEdge, type Tile, writeHash } from './tree.ts'

/** Consecutive entries of a project. */
export interface EntryRange {
  readonly projectId: string
  readonly from: number
  readonly to: number
}

/** What the next leaves are made of. All of it can be sent to a thread. */
export interface StepInput {
  readonly size: number
  readonly edge: RightEdge
  readonly saltKey: KeyObject
  /** A leaf with a text of its own, before the entries; null for none. */
  readonly own: { readonly text: string; readonly salt: string } | null
  /** Pages of entries as `entryFields` writes them, in any order. */
  readonly pages: readonly string[]
  /** Which of the entries become leaves, in this order. */
  readonly ranges: readonly EntryRange[]
}

/** Leaves of one project, one after the other. */
export interface LeafRun extends EntryRange {
  readonly firstIndex: number
  /** The salts, each `saltLength` characters. */
  readonly salts: string
}

/** A tile as the store has it, in base64. */
export interface StoredTile extends Omit<Tile, 'hashes'> {
  readonly hashes: string
}

export interface StepOutput {
  readonly size: number
  readonly root: Uint8Array
  readonly tiles: readonly StoredTile[]
  readonly runs: readonly LeafRun[]
}

/** The most leaves of a run, so that a receipt does not read far for one salt. The store relies on it. */
export const runLength = 256

/** Hashes the next leaves. Pure, so that it can run in a thread of its own. */
export function buildStep({ size, edge, saltKey, own, pages, ranges }: StepInput): StepOutput {
  const rows = entriesByProject(pages)
  const count = ranges.reduce((sum, { from, to }) => sum + to - from + 1, own ? 1 : 0)
  const leaves = Buffer.alloc(count * hashBytes)
  const runs: LeafRun[] = []
  let made = 0
  if (own) {
    saltedLeaf(own.text, own.salt).copy(leaves)
    made = 1
  }
  for (const { projectId, from, to } of ranges) {
    const entries = rows.get(projectId)
    for (let start = from; start <= to; start += runLength) {
      const end = Math.min(to, start + runLength - 1)
      const firstIndex = size + made
      let salts = ''
      for (let seq = start; seq <= end; seq += 1) {
        const row = entries?.get(seq)
        if (!row) throw new Error(`entry ${seq} of ${projectId} was not read`)
        const salt = saltOf(saltKey, entrySaltText(row))
        salts += salt
        writeLeaf(entryText(row), salt, leaves, made * hashBytes)
        made += 1
      }
      runs.push({ projectId, from: start, to: end, firstIndex, salts })
    }
  }
  const { tiles, root } = appendLeaves(edge, size, leaves)
  return { size: size + count, root, tiles: tiles.map(storedTile), runs }
}

export const storedTile = ({ level, index, hashes }: Tile): StoredTile => ({
  level,
  index,
  hashes: Buffer.from(hashes.buffer, hashes.byteOffset, hashes.length).toString('base64'),
})

let scratch = Buffer.alloc(1024)

/** `saltedLeaf` without an object per leaf. */
function writeLeaf(text: string, salt: string, into: Buffer, at: number): void {
  const length = 1 + Buffer.byteLength(text)
  if (scratch.length < length + saltLength) scratch = Buffer.alloc(2 * (length + saltLength))
  scratch[0] = 0
  scratch.write(text, 1)
  const end = length + scratch.write(salt, length, 'base64')
  writeHash(scratch.subarray(0, end), into, at)
}

const fieldEnd = '\x1f'
const rowEnd = '\x1e'

/** Selects rows of `ledger_entries e` as one text, which costs a thread that passes it on next to nothing. */
export const entryFields = `string_agg(concat_ws('${fieldEnd}', e.entry_id, e.project_id, e.seq, e.kind, e.amount, e.available,
  e.reserved, COALESCE(e.charge_id, ''), COALESCE(e.lot_id, ''), e.entered_at), '${rowEnd}')`

function entriesByProject(pages: readonly string[]): Map<string, Map<number, LedgerRow>> {
  const projects = new Map<string, Map<number, LedgerRow>>()
  for (const page of pages) {
    for (const line of page.split(rowEnd)) {
      const fields = line.split(fieldEnd)
      const row: LedgerRow = {
        entryId: Number(fields[0]),
        projectId: fields[1]!,
        seq: Number(fields[2]),
        kind: fields[3]!,
        amount: Number(fields[4]),
        available: Number(fields[5]),
        reserved: Number(fields[6]),
        chargeId: fields[7] || null,
        lotId: fields[8] || null,
        at: Number(fields[9]),
      }
      const entries = projects.get(row.projectId)
      if (entries) entries.set(row.seq, row)
      else projects.set(row.projectId, new Map([[row.seq, row]]))
    }
  }
  return projects
}
