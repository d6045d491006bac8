import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { hourMs, isoOf, reportingZone } from '../../../../base/time.ts'
import { timeoutSignal } from '../../../../base/timers.ts'
import { Refusal } from '../../../../contract/errors.ts'
import type { Reader } from '../../../../storage/engine.ts'
import type { ReportStore } from '../../reports/store.ts'
import { canonicalText, entrySaltText, entryText, hashedEntry, type LedgerRow, saltedLeaf, saltOf } from '../leaves.ts'
import { findLeaves } from '../log-store.ts'
import type { Published } from '../publisher.ts'
import { signJws } from '../signing-keys.ts'
import { consistencyOf, type ReceiptDeps } from './receipts.ts'
import { firstNotBefore, projectCreatedAt, readEntries, rowOf } from './store.ts'

interface StatementDeps extends ReceiptDeps {
  readonly reports: Pick<ReportStore, 'ledgerEnds' | 'enteredAt'>
}

const pageEntries = 500
const retryAfterSeconds = 2
/** A reader that takes longer is cut off. */
const longestMs = 600_000
/** Statements being read at a time, by all projects together. */
const atOnce = 8

interface StatedRange {
  readonly from: number
  readonly before: number
}

/** What a project's ledger did in a month: opening and closing balance, sums, and a digest of the entries. */
export function createStatements(deps: StatementDeps) {
  const { engine, keys, publisher, issuer, clock, reports } = deps
  const reading = new Set<string>()

  /**
   * The numbers of a month's entries. A month begins with its first entry in the order of the ledger, so that months neither
   * overlap nor leave a gap, although clocks differ.
   */
  async function rangeOf(projectId: string, month: string): Promise<StatedRange> {
    const [fromAt, toAt] = monthTimes(month)
    const createdAt = await engine.read((tx) => projectCreatedAt(tx, projectId))
    if (createdAt === undefined || toAt <= createdAt || fromAt > clock()) throw new Refusal('STATEMENT_NOT_FOUND')
    const from = await boundaryAt(projectId, fromAt)
    return { from, before: Math.max(from, await boundaryAt(projectId, toAt)) }
  }

  /** The number of the first entry of a ledger whose time is not before a moment, or the one after its last. */
  async function boundaryAt(projectId: string, at: number): Promise<number> {
    const { first, last, archivedUntil } = await reports.ledgerEnds(projectId)
    if (archivedUntil !== null && archivedUntil >= at) {
      const archived = await deps.archivedReads.firstNotBefore(projectId, at)
      if (archived === undefined) throw new Refusal('STATEMENT_NOT_FOUND')
      if (archived !== null) return archived
    }
    return boundary(projectId, { from: first, before: last + 1 }, at)
  }

  /** The next entries from a number on: the rest of an archived page, or a page of the store. */
  async function part(projectId: string, from: number, before: number): Promise<readonly LedgerRow[]> {
    const isArchived = from <= (await deps.archivedReads.archived(projectId))
    const rows = isArchived
      ? (await deps.archivedReads.entriesFrom(projectId, from))?.map(rowOf)
      : await engine.read((tx) => readEntries(tx, projectId, from, Math.min(from + pageEntries, before)))
    const wanted = rows?.filter(({ seq }) => seq < before) ?? []
    if (wanted[0]?.seq !== from) throw new Refusal('STATEMENT_NOT_FOUND')
    return wanted
  }

  /** The first entry of a range at or after a time: by binary search, then one by one. */
  async function boundary(projectId: string, { from, before }: StatedRange, at: number): Promise<number> {
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

  async function* pages(projectId: string, { from, before }: StatedRange): AsyncGenerator<readonly LedgerRow[]> {
    for (let start = from; start < before; ) {
      const page = await part(projectId, start, before)
      yield page
      start += page.length
    }
  }

  async function statement(projectId: string, month: string, since: string | undefined): Promise<string> {
    const { current, saltKey } = await keys.get()
    const range = await rangeOf(projectId, month)
    const published = publisher.isSound() ? publisher.current() : null
    const [before] = range.from > 1 ? await part(projectId, range.from - 1, range.from) : []
    const opening = balanceAfter(before)
    let closing = opening
    let last: LedgerRow | undefined
    const sums: Record<string, number> = {}
    const digest = createHash('sha256')
    for await (const page of pages(projectId, range)) {
      for (const row of page) {
        sums[row.kind] = (sums[row.kind] ?? 0) + row.amount
        digest.update(saltedLeaf(entryText(row), saltOf(saltKey, entrySaltText(row))))
      }
      last = page.at(-1)
      closing = balanceAfter(last)
    }
    const count = range.before - range.from
    const ends = count === 0 ? { firstSeq: null, lastSeq: null } : { firstSeq: range.from, lastSeq: range.before - 1 }
    const body = await engine.read(async (tx) => {
      const checkpoint = (await isInTree(tx, last, published)) ? published : null
      return {
        ...{ type: 'statement', issuer, issuedAt: isoOf(clock()), projectId, month, opening, closing, sums, count },
        ...ends,
        entriesSha256: digest.digest('hex'),
        checkpoint: checkpoint?.note ?? null,
        ...(await consistencyOf(tx, deps, { since, checkpoint })),
      }
    })
    return signJws(current, 'statement+jws', canonicalText(body))
  }

  async function* lines(projectId: string, range: StatedRange): AsyncGenerator<Buffer> {
    const { saltKey } = await keys.get()
    const published = publisher.isSound() ? publisher.current() : null
    for await (const page of pages(projectId, range)) {
      const leaves = published && (await engine.read((tx) => findLeaves(tx, published.logNumber, page)))
      const text = page.map((row) => {
        const index = leaves?.get(row.entryId)?.index ?? null
        return `${canonicalText({ entry: hashedEntry(row), salt: saltOf(saltKey, entrySaltText(row)), index })}\n`
      })
      yield Buffer.from(text.join(''))
    }
  }

  /** One at a time for each project. */
  function begin(projectId: string): () => void {
    if (reading.has(projectId) || reading.size >= atOnce) throw new Refusal('RATE_LIMITED', { retryAfterSeconds })
    reading.add(projectId)
    return () => reading.delete(projectId)
  }

  return {
    async jws(projectId: string, month: string, since?: string): Promise<string> {
      const release = begin(projectId)
      try {
        return await statement(projectId, month, since)
      } finally {
        release()
      }
    },
    /** The entries of a month, to be read at the speed of the client. */
    async jsonl(projectId: string, month: string): Promise<Readable> {
      const range = await rangeOf(projectId, month)
      const release = begin(projectId)
      const options = { objectMode: false, signal: timeoutSignal(longestMs) }
      // Not in the generator: the `finally` of one that never started does not run.
      return Readable.from(lines(projectId, range), options).once('close', release)
    },
  }
}

/** Timestamps may be out of order by at most this, as in every report. */
const maxSkewMs = hourMs

const balanceAfter = (row: LedgerRow | undefined) => ({ available: row?.available ?? 0, reserved: row?.reserved ?? 0 })

/** The moments at which a month such as 2026-09 begins and ends. */
function monthTimes(month: string): [number, number] {
  const [year, number] = month.split('-').map(Number)
  return [
    Date.UTC(year!, number! - 1, 1) - reportingZone.offsetMs,
    Date.UTC(year!, number!, 1) - reportingZone.offsetMs,
  ]
}

/** A project's entries are appended in order, so checking the last one is enough. */
async function isInTree(tx: Reader, last: LedgerRow | undefined, published: Published | null): Promise<boolean> {
  if (!published || !last) return published !== null
  const leaf = (await findLeaves(tx, published.logNumber, [last])).get(last.entryId)
  return leaf !== undefined && leaf.index < published.size
}
