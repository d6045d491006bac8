import { hourMs, reportingZone } from '../../../../base/time.ts'
import { Refusal } from '../../../../contract/errors.ts'
import type { Engine } from '../../../../storage/engine.ts'
import type { ArchivedReads } from '../../archives/archived-reads.ts'
import type { LedgerRange } from '../../archives/store.ts'
import type { ReportStore } from '../../reports/store.ts'
import type { LedgerRow } from '../leaves.ts'
import { firstNotBefore, projectCreatedAt, readEntries, rowOf } from './store.ts'

export interface StatementEntriesDeps {
  readonly engine: Pick<Engine, 'read'>
  readonly archivedReads: Pick<ArchivedReads, 'subject' | 'entriesFrom' | 'firstNotBefore' | 'archived'>
  readonly reports: Pick<ReportStore, 'ledgerEnds' | 'enteredAt'>
  readonly clock: () => number
}

const pageEntries = 500

export interface EntryNumbers {
  readonly from: number
  readonly before: number
}

export interface StatedRange extends EntryNumbers {
  /** When the project was created. */
  readonly createdAt: number
}

export type StatementEntries = ReturnType<typeof createStatementEntries>

/** Finds and reads the entries of a month, in the store and in archive files. */
export function createStatementEntries({ engine, archivedReads, reports, clock }: StatementEntriesDeps) {
  /**
   * The numbers of a month's entries. A month begins with its first entry in the order of the ledger, so that months neither
   * overlap nor leave a gap, although clocks differ.
   */
  async function rangeOf(projectId: string, month: string): Promise<StatedRange> {
    const [fromAt, toAt] = monthTimes(month)
    const createdAt = await engine.read((tx) => projectCreatedAt(tx, projectId))
    if (createdAt === undefined || toAt <= createdAt || fromAt > clock()) throw new Refusal('STATEMENT_NOT_FOUND')
    const from = await boundaryAt(projectId, fromAt)
    return { createdAt, from, before: Math.max(from, await boundaryAt(projectId, toAt)) }
  }

  /** The number of the first entry of a ledger whose time is not before a moment, or the one after its last. */
  async function boundaryAt(projectId: string, at: number): Promise<number> {
    const { first, last, archivedUntil } = await reports.ledgerEnds(projectId)
    if (archivedUntil !== null && archivedUntil >= at) {
      const archived = await archivedReads.firstNotBefore(projectId, at)
      if (archived === undefined) throw new Refusal('STATEMENT_NOT_FOUND')
      if (archived !== null) return archived
    }
    return boundary({ engine, reports }, { projectId, from: first, before: last + 1 }, at)
  }

  /** The next entries from a number on: the rest of an archived page, or a page of the store. */
  async function part(projectId: string, from: number, before: number): Promise<readonly LedgerRow[]> {
    const isArchived = from <= (await archivedReads.archived(projectId))
    const rows = isArchived
      ? (await archivedReads.entriesFrom(projectId, from))?.map(rowOf)
      : await engine.read((tx) => readEntries(tx, projectId, from, Math.min(from + pageEntries, before)))
    const wanted = rows?.filter(({ seq }) => seq < before) ?? []
    if (wanted[0]?.seq !== from) throw new Refusal('STATEMENT_NOT_FOUND')
    return wanted
  }

  async function* pages(projectId: string, { from, before }: EntryNumbers): AsyncGenerator<readonly LedgerRow[]> {
    for (let start = from; start < before; ) {
      const page = await part(projectId, start, before)
      yield page
      start += page.length
    }
  }

  const entryBefore = async (projectId: string, seq: number): Promise<LedgerRow | undefined> =>
    seq > 1 ? (await part(projectId, seq - 1, seq))[0] : undefined

  return { rangeOf, part, pages, entryBefore }
}

/** The first entry of a range at or after a time: by binary search, then one by one. */
async function boundary(
  { engine, reports }: Pick<StatementEntriesDeps, 'engine' | 'reports'>,
  { projectId, from, before }: LedgerRange,
  at: number,
): Promise<number> {
  let [low, high] = [from, before]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const enteredAt = await reports.enteredAt(projectId, middle)
    if (enteredAt === undefined || enteredAt >= at - maxSkewMs) high = middle
    else low = middle + 1
  }
  for (let start = low; start < before; start += pageEntries) {
    const part = { projectId, from: start, before: Math.min(start + pageEntries, before) }
    const found = await engine.read((tx) => firstNotBefore(tx, part, at))
    if (found !== null) return found
  }
  return before
}

/** Timestamps may be out of order by at most this, as in every report. */
const maxSkewMs = hourMs

/** The moments at which a month such as 2026-09 begins and ends. */
export function monthTimes(month: string): [number, number] {
  const [year, number] = month.split('-').map(Number)
  return [
    Date.UTC(year!, number! - 1, 1) - reportingZone.offsetMs,
    Date.UTC(year!, number!, 1) - reportingZone.offsetMs,
  ]
}
