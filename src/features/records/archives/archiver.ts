import { sometimes } from '../../../base/sometimes.ts'
import { dayMs } from '../../../base/time.ts'
import { delay } from '../../../base/timers.ts'
import type { ArchiveDirectory } from './directory.ts'
import { createPage, type PageDeps } from './page.ts'
import { type ArchiveCandidate, type ArchiveFile, type Cut, cutLedger, nothingArchived } from './records.ts'
import type { ArchiveStore } from './store.ts'

/** If two clocks differ by more than this, one of them is wrong. */
const toleranceMs = 60_000

interface ClockTrouble {
  readonly because: 'clock'
  readonly detail: string
}

/**
 * The time that ages are counted from: the earliest of this clock, the database's and the newest entry, because a clock that is
 * ahead would archive what callers still rely on. If the gateway was idle, the newest entry is old, and less is archived.
 */
async function safeNow(clock: () => number, readTimes: ArchiveStore['times']): Promise<number | ClockTrouble> {
  const before = clock()
  const { databaseMs, newestEntryMs } = await readTimes()
  // The database read its clock between these two readings, however long the query took.
  const after = clock()
  if (databaseMs < before - toleranceMs || databaseMs > after + toleranceMs)
    return trouble(`the clock here says ${text(after)}, that of the database ${text(databaseMs)}: set the wrong one`)
  const now = Math.min(before, databaseMs)
  if (newestEntryMs === null) return now
  if (newestEntryMs > now + toleranceMs)
    return trouble(`the newest ledger entry is of ${text(newestEntryMs)}, but the clock here says ${text(after)}`)
  return Math.min(now, newestEntryMs)
}

function trouble(detail: string): ClockTrouble {
  sometimes('nothing is archived because a clock is wrong')
  return { because: 'clock', detail }
}

const text = (ms: number) => new Date(ms).toISOString()

export interface ArchiverDeps {
  readonly store: ArchiveStore
  readonly directory: ArchiveDirectory
  /** Locks the directory against other programs of this machine; null if one of them has it. Released when the process ends. */
  readonly lockDirectory: () => Promise<{ release: () => void } | null>
  /** Names this program, so that only one archives at a time. */
  readonly holder: string
  /** Recorded with each file, so that an operator finds it. */
  readonly host: string
  readonly clock: () => number
  readonly retentionDays: number
  readonly resultDays: number
  /** A recorded file is missing or damaged here: the archive continues in a new part. */
  readonly onNewPart?: (file: ArchiveFile) => void
  /** Entries of one page, which is one transaction. */
  readonly pageEntries?: number
  /** Pause after each page, so that calls get the store. */
  readonly pauseMs?: number
}

export interface ArchiveResult {
  /** Why nothing was moved; null if it ran. */
  readonly refusal: ArchiveRefusal | null
  readonly pages: number
  readonly projects: number
  readonly entries: number
  readonly charges: number
  /** Ledgers that cannot be archived further: an open charge or a wrong entry comes next. */
  readonly heldUp: readonly HeldUp[]
}

/** Another program is archiving, files would not survive a restart, or a clock is wrong. */
export type ArchiveRefusal = { readonly because: 'busy' | 'memory' } | ClockTrouble

interface HeldUp {
  readonly projectId: string
  readonly because: 'open charge' | 'wrong entry'
  readonly seq: number
  readonly chargeId: string | null
}

const projectsAtOnce = 100
const keysAtOnce = 1000
const heldUpListed = 100

export type Archiver = ReturnType<typeof createArchiver>

/** Moves what is older than the retention time into files, page by page. */
export function createArchiver(deps: ArchiverDeps) {
  const { store, clock, retentionDays, pauseMs = 50, pageEntries = 500 } = deps

  async function walk(now: number, flush: Flush, stopping: AbortSignal | undefined): Promise<ArchiveResult> {
    const olderThan = now - retentionDays * dayMs
    const done = { ...nothingMoved, heldUp: [] as HeldUp[] }
    let page = createPage(store)
    const flushPage = async () => {
      if (page.entries() === 0) return
      await flush(page)
      done.pages += 1
      done.entries += page.entries()
      done.charges += page.charges()
      page = createPage(store)
    }
    for await (const candidate of candidates(store, olderThan)) {
      let closing = candidate.closing
      let moved = 0
      for (;;) {
        if (stopping?.aborted) return done
        const limit = pageEntries - page.entries()
        const entries = await store.firstEntries({ ...candidate, closing }, { olderThan, limit })
        const cut = cutLedger(closing ?? nothingArchived, entries, olderThan)
        await page.add({ projectId: candidate.projectId, before: closing, cut })
        if (cut.entries.length > 0) closing = cut.closing
        moved += cut.entries.length
        if (page.entries() >= pageEntries) await flushPage()
        const obstacle = obstacleIn(cut, entries)
        if (obstacle && done.heldUp.length < heldUpListed) done.heldUp.push(obstacle)
        if (cut.end !== 'read' || entries.length < limit) break
      }
      if (moved > 0) done.projects += 1
    }
    await flushPage()
    return done
  }

  /** A time to count ages from, or why nothing may be moved. */
  async function begin(): Promise<number | ArchiveRefusal> {
    return (await deps.directory.isInMemory()) ? { because: 'memory' } : safeNow(clock, store.times)
  }

  async function pruneKeys(now: number, stopping: AbortSignal | undefined): Promise<void> {
    const archivedBefore = now - deps.resultDays * dayMs
    while (!stopping?.aborted && (await store.pruneKeys(archivedBefore, keysAtOnce)) === keysAtOnce)
      await delay(pauseMs)
  }

  return {
    /** Archives everything that is due. Stops after the current page once the signal is aborted. */
    async run(stopping?: AbortSignal): Promise<ArchiveResult> {
      const now = await begin()
      if (typeof now !== 'number') return refused(now)
      const lock = await deps.lockDirectory()
      if (!lock) return refused({ because: 'busy' })
      const pageDeps: PageDeps = { ...deps, claim: () => ({ holder: deps.holder, at: clock() }) }
      try {
        if (!(await store.claim(deps.holder))) return refused({ because: 'busy' })
        try {
          await pruneKeys(now, stopping)
          const writePage: Flush = async (page) => {
            await page.write(pageDeps)
            await delay(pauseMs)
          }
          return await walk(now, writePage, stopping)
        } finally {
          await store.unclaim(deps.holder)
        }
      } finally {
        lock.release()
      }
    },
    /** What `run` would move now. */
    async plan(): Promise<ArchiveResult> {
      const now = await begin()
      return typeof now === 'number' ? walk(now, async () => {}, undefined) : refused(now)
    },
  }
}

type Flush = (page: ReturnType<typeof createPage>) => Promise<void>

const nothingMoved = { refusal: null, pages: 0, projects: 0, entries: 0, charges: 0, heldUp: [] }

const refused = (refusal: ArchiveRefusal): ArchiveResult => ({ ...nothingMoved, refusal })

async function* candidates(store: ArchiveStore, createdBefore: number): AsyncGenerator<ArchiveCandidate> {
  for (let after = ''; ; ) {
    const found = await store.candidates(after, createdBefore, projectsAtOnce)
    yield* found
    if (found.length < projectsAtOnce) return
    after = found.at(-1)!.projectId
  }
}

function obstacleIn(
  { end, entries: taken }: Cut,
  entries: readonly { projectId: string; seq: number; chargeId: string | null }[],
): HeldUp | null {
  if (end !== 'open' && end !== 'wrong') return null
  const { projectId, seq, chargeId } = entries[taken.length]!
  if (end === 'open') sometimes('an open charge holds up the archive')
  return { projectId, because: end === 'open' ? 'open charge' : 'wrong entry', seq, chargeId }
}

export const refusalText = (refusal: ArchiveRefusal): string =>
  refusal.because === 'clock' ? `nothing was moved: ${refusal.detail}` : refusals[refusal.because]

const refusals = {
  busy: 'another program is archiving now',
  memory: 'nothing was moved: the data directory is in memory (tmpfs), so archives would be gone after a restart',
}
