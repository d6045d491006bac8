import type { KeyObject } from 'node:crypto'
import { createIsoFormat } from '../../../base/time.ts'
import { entryText, type LedgerRow, saltBytesOf, saltedLeaf, saltLength } from './leaves.ts'
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
  const firstOf = new Map<string, EntryRange & { readonly index: number }>()
  let count = own ? 1 : 0
  for (const range of ranges) {
    firstOf.set(range.projectId, { ...range, index: count })
    count += range.to - range.from + 1
  }
  // One buffer for all leaves and one for all salts: objects that live as long as a step would fill the heap of the thread.
  const leaves = Buffer.alloc(count * hashBytes)
  const salts = Buffer.alloc(count * saltLength)
  if (own) saltedLeaf(own.text, own.salt).copy(leaves)
  for (const page of pages) {
    eachRow(page, (fields, isPlain) => {
      const range = firstOf.get(fields[1]!)
      const seq = Number(fields[2])
      if (!range || seq < range.from || seq > range.to) return
      const place = range.index + seq - range.from
      const salt = saltBytesOf(saltKey, `${fields[1]}/${fields[2]}`)
      salts.write(salt.toString('base64'), place * saltLength, 'latin1')
      writeLeaf(isPlain ? plainText(fields) : entryText(rowOf(fields)), salt, leaves, place * hashBytes)
    })
  }
  const { tiles, root } = appendLeaves(edge, size, leaves)
  const runs = [...firstOf.values()].flatMap((range) => runsOf(range, size, salts))
  return { size: size + count, root, tiles: tiles.map(storedTile), runs }
}

function runsOf(
  { projectId, from, to, index }: EntryRange & { index: number },
  size: number,
  salts: Buffer,
): LeafRun[] {
  const runs: LeafRun[] = []
  for (let start = from; start <= to; start += runLength) {
    const end = Math.min(to, start + runLength - 1)
    const place = index + start - from
    const text = salts.toString('latin1', place * saltLength, (place + end - start + 1) * saltLength)
    if (text.includes('\0')) throw new Error(`an entry of ${projectId} from ${start} to ${end} was not read`)
    runs.push({ projectId, from: start, to: end, firstIndex: size + place, salts: text })
  }
  return runs
}

export const storedTile = ({ level, index, hashes }: Tile): StoredTile => ({
  level,
  index,
  hashes: Buffer.from(hashes.buffer, hashes.byteOffset, hashes.length).toString('base64'),
})

let scratch = Buffer.alloc(1024)

/** `saltedLeaf` without an object per leaf. */
function writeLeaf(text: string, salt: Uint8Array, into: Buffer, at: number): void {
  const length = 1 + Buffer.byteLength(text)
  if (scratch.length < length + salt.length) scratch = Buffer.alloc(2 * (length + salt.length))
  scratch[0] = 0
  scratch.write(text, 1)
  scratch.set(salt, length)
  writeHash(scratch.subarray(0, length + salt.length), into, at)
}

const fieldEnd = '\x1f'
const rowEnd = '\x1e'

/** Selects rows of `ledger_entries e` as one text, which costs a thread that passes it on next to nothing. */
export const entryFields = `string_agg(concat_ws('${fieldEnd}', e.entry_id, e.project_id, e.seq, e.kind, e.amount, e.available,
  e.reserved, COALESCE(e.charge_id, ''), COALESCE(e.lot_id, ''), e.entered_at), '${rowEnd}')`

type EntryValues = readonly string[]

/** Calls back with the fields of each row, and whether they need no escape in JSON. */
function eachRow(page: string, onRow: (fields: EntryValues, isPlain: boolean) => void): void {
  for (let start = 0; start < page.length; ) {
    const found = page.indexOf(rowEnd, start)
    const end = found < 0 ? page.length : found
    const line = page.slice(start, end)
    onRow(line.split(fieldEnd), plainLine.test(line))
    start = end + 1
  }
}

const plainLine = /^[\w\x1f]*$/

/** `entryText` of a row, from its fields. */
const plainText = ([
  entryId,
  projectId,
  seq,
  kind,
  amount,
  available,
  reserved,
  chargeId,
  lotId,
  at,
]: EntryValues): string =>
  `{"amount":${amount},"available":${available},"chargeId":${quoted(chargeId)},"creditLotId":${quoted(lotId)},` +
  `"enteredAt":"${isoFormat(Number(at))}","entryId":${entryId},"kind":"${kind}","projectId":"${projectId}",` +
  `"reserved":${reserved},"seq":${seq}}`

const isoFormat = createIsoFormat()
const quoted = (text: string | undefined): string => (text ? `"${text}"` : 'null')

const rowOf = (fields: EntryValues): LedgerRow => ({
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
})
