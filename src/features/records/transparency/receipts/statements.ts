import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { isoOf } from '../../../../base/time.ts'
import { timeoutSignal } from '../../../../base/timers.ts'
import { Refusal } from '../../../../contract/errors.ts'
import type { Reader } from '../../../../storage/engine.ts'
import type { ReportStore } from '../../reports/store.ts'
import { canonicalText, entrySaltText, entryText, hashedEntry, type LedgerRow, saltedLeaf, saltOf } from '../leaves.ts'
import { findLeaves } from '../log-store.ts'
import type { Published } from '../publisher.ts'
import { signJws } from '../signing-keys.ts'
import { balanceAfter, createMonthStatement } from './month-statement.ts'
import { consistencyOf, type ReceiptDeps } from './receipts.ts'
import type { MonthStatement } from './statement-contract.ts'
import { createStatementEntries, type EntryNumbers } from './statement-entries.ts'

interface StatementDeps extends ReceiptDeps {
  readonly reports: Pick<ReportStore, 'ledgerEnds' | 'enteredAt'>
}

const retryAfterSeconds = 2
/** A reader that takes longer is cut off. */
const longestMs = 600_000
/** Statements being read at a time, by all projects together. */
const atOnce = 8

/** What a project's ledger did in a month: opening and closing balance, sums, and a digest of the entries. */
export function createStatements(deps: StatementDeps) {
  const { engine, keys, publisher, issuer, clock } = deps
  const entries = createStatementEntries(deps)
  const monthOf = createMonthStatement({ ...deps, entries })
  const reading = new Set<string>()

  async function statement(projectId: string, month: string, since: string | undefined): Promise<string> {
    const { current, saltKey } = await keys.get()
    const range = await entries.rangeOf(projectId, month)
    const published = publisher.isSound() ? publisher.current() : null
    const opening = balanceAfter(await entries.entryBefore(projectId, range.from))
    let closing = opening
    let last: LedgerRow | undefined
    const sums: Record<string, number> = {}
    const digest = createHash('sha256')
    for await (const page of entries.pages(projectId, range)) {
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

  async function* lines(projectId: string, range: EntryNumbers): AsyncGenerator<Buffer> {
    const { saltKey } = await keys.get()
    const published = publisher.isSound() ? publisher.current() : null
    for await (const page of entries.pages(projectId, range)) {
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

  async function alone<T>(projectId: string, read: () => Promise<T>): Promise<T> {
    const release = begin(projectId)
    try {
      return await read()
    } finally {
      release()
    }
  }

  /** Months being added up, so that two tabs share one read. */
  const adding = new Map<string, Promise<MonthStatement>>()

  return {
    jws: (projectId: string, month: string, since?: string): Promise<string> =>
      alone(projectId, () => statement(projectId, month, since)),
    month(projectId: string, month: string): Promise<MonthStatement> {
      const id = `${projectId} ${month}`
      const read = adding.get(id) ?? alone(projectId, () => monthOf(projectId, month)).finally(() => adding.delete(id))
      adding.set(id, read)
      return read
    },
    /** The entries of a month, to be read at the speed of the client. */
    async jsonl(projectId: string, month: string): Promise<Readable> {
      const range = await entries.rangeOf(projectId, month)
      const release = begin(projectId)
      const options = { objectMode: false, signal: timeoutSignal(longestMs) }
      // Not in the generator: the `finally` of one that never started does not run.
      return Readable.from(lines(projectId, range), options).once('close', release)
    },
  }
}

/** A project's entries are appended in order, so checking the last one is enough. */
async function isInTree(tx: Reader, last: LedgerRow | undefined, published: Published | null): Promise<boolean> {
  if (!published || !last) return published !== null
  const leaf = (await findLeaves(tx, published.logNumber, [last])).get(last.entryId)
  return leaf !== undefined && leaf.index < published.size
}
