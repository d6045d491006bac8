import { isoOf } from '../../../base/time.ts'
import { billableOperations } from '../../../contract/prices.ts'
import type { StatusDocument } from '../../../documents/status.ts'
import type { Engine } from '../../../storage/engine.ts'
import type { Incident } from './contract.ts'
import { fewestCalls, readFigures } from './figures.ts'
import { listIncidents } from './incidents.ts'

interface BoardDeps {
  readonly engine: Pick<Engine, 'read'>
  readonly clock: () => number
}

/** Until the store has responded once. */
const unknown: StatusDocument = {
  ...{ state: 'ok', updatedAt: null, fewestCalls, incidents: [] },
  operations: billableOperations.map((operation) => ({ operation, lastHour: null, lastDay: null, last90Days: null })),
}

/** What the public sees, kept in memory: readers cost the store nothing, and see the last figures while it is away. */
export function createBoard({ engine, clock }: BoardDeps) {
  let kept = unknown
  let isFresh = false
  let reading: Promise<void> | null = null

  async function read(): Promise<void> {
    const now = clock()
    isFresh = true
    try {
      kept = await engine.read(async (tx) => documentOf(now, await readFigures(tx, now), await listIncidents(tx, now)))
    } catch (error) {
      isFresh = false
      throw error
    }
  }

  /** Callers share a read. */
  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }

  return {
    refresh,
    /** The next reader waits for another read. */
    expire: (): void => {
      isFresh = false
    },
    async current(): Promise<StatusDocument> {
      if (!isFresh || kept === unknown) await refresh().catch(() => {})
      return kept
    },
  }
}

export type StatusBoard = ReturnType<typeof createBoard>

/** From here on an operation works as usual. */
const usualPercent = 95

function documentOf(
  now: number,
  operations: StatusDocument['operations'],
  incidents: readonly Incident[],
): StatusDocument {
  const isDegraded = operations.some(({ lastHour }) => lastHour !== null && lastHour.successPercent < usualPercent)
  const isIncident = incidents.some(({ state }) => state === 'open')
  return {
    state: isIncident ? 'incident' : isDegraded ? 'degraded' : 'ok',
    updatedAt: isoOf(now),
    fewestCalls,
    operations,
    incidents: incidents.map(({ addedBy, ...shown }) => shown),
  }
}
