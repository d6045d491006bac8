import { hourMs } from '../../../base/time.ts'
import { listedPerKey } from './contract.ts'

export interface RefusedCall {
  readonly projectId: string
  readonly keyId: string
  readonly requestId: string
  readonly operation: string
  readonly code: string
}

export interface RefusalCount {
  readonly projectId: string
  readonly keyId: string
  readonly hour: number
  readonly code: string
  calls: number
}

/** What is written at once. */
export interface RefusalBatch {
  readonly counts: readonly RefusalCount[]
  readonly calls: readonly RefusedCall[]
}

/** Bounds of what waits in memory, over all keys: distinct keys, codes and hours, and listed calls. */
const maxCounts = 1000
const maxCalls = 500

/** What waits of one project. */
interface Collected {
  readonly counts: Map<string, RefusalCount>
  readonly callsOfKey: Map<string, RefusedCall[]>
  calls: number
}

interface Collecting {
  readonly projects: Map<string, Collected>
  counts: number
  calls: number
}

const empty = (): Collecting => ({ projects: new Map(), counts: 0, calls: 0 })

/**
 * Collects refused calls until they are written. A flood of them takes no more memory than the bounds; at a bound each project has
 * an equal share, so that a flood of one hides no other.
 */
export function createRefusalTally(clock: () => number) {
  let tally = empty()
  let dropped = 0

  return {
    add(call: RefusedCall): void {
      const { projects } = tally
      const own = projects.get(call.projectId) ?? { counts: new Map(), callsOfKey: new Map(), calls: 0 }
      if (projects.size < maxCounts) projects.set(call.projectId, own)
      dropped += projects.has(call.projectId) ? count(tally, own, call, clock()) : 1
      list(tally, own, call)
    },
    /** What was collected since the last time; null if nothing was. */
    take(): RefusalBatch | null {
      if (tally.counts === 0) return null
      const all = [...tally.projects.values()]
      tally = empty()
      return {
        counts: all.flatMap((one) => [...one.counts.values()]),
        calls: all.flatMap((one) => [...one.callsOfKey.values()].flat()),
      }
    },
    /** How many calls were not counted because too many keys were refused at once. */
    dropped: () => dropped,
  }
}

/** Returns how many calls are not counted for it. */
function count(tally: Collecting, own: Collected, { projectId, keyId, code }: RefusedCall, at: number): number {
  const hour = Math.floor(at / hourMs) * hourMs
  const id = `${keyId} ${hour} ${code}`
  const found = own.counts.get(id)
  if (found) {
    found.calls += 1
    return 0
  }
  let dropped = 0
  if (tally.counts >= maxCounts) {
    if (own.counts.size >= share(maxCounts, tally)) return 1
    dropped = dropOldestCount(largestOf(tally.projects.values(), (one) => one.counts.size)).calls
    tally.counts -= 1
  }
  own.counts.set(id, { projectId, keyId, hour, code, calls: 1 })
  tally.counts += 1
  return dropped
}

function list(tally: Collecting, own: Collected, call: RefusedCall): void {
  const listed = own.callsOfKey.get(call.keyId) ?? []
  if (listed.length >= listedPerKey) {
    listed.shift()
    listed.push(call)
    return
  }
  if (tally.calls >= maxCalls) {
    const isBelowShare = own.calls < share(maxCalls, tally)
    const from = isBelowShare ? largestOf(tally.projects.values(), (one) => one.calls) : own
    if (from.calls === 0) return
    dropOldestCall(from)
    tally.calls -= 1
  }
  listed.push(call)
  own.callsOfKey.set(call.keyId, listed)
  own.calls += 1
  tally.calls += 1
}

const share = (bound: number, { projects }: Collecting): number => Math.floor(bound / projects.size)

function dropOldestCount({ counts }: Collected): RefusalCount {
  const [id, oldest] = counts.entries().next().value!
  counts.delete(id)
  return oldest
}

/** Of the key with the most. */
function dropOldestCall(from: Collected): void {
  largestOf(from.callsOfKey.values(), ({ length }) => length).shift()
  from.calls -= 1
}

/** Of at least one. */
const largestOf = <T>(all: Iterable<T>, sizeOf: (one: T) => number): T =>
  [...all].reduce((largest, one) => (sizeOf(one) > sizeOf(largest) ? one : largest))

/** Writes what was collected. A batch that could not be written is kept and tried again first. */
export function refusalWriter(
  tally: Pick<ReturnType<typeof createRefusalTally>, 'take'>,
  write: (batch: RefusalBatch) => Promise<unknown>,
): () => Promise<void> {
  let unwritten: RefusalBatch | null = null
  return async () => {
    unwritten ??= tally.take()
    if (!unwritten) return
    await write(unwritten)
    unwritten = null
  }
}
