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

/** Collects refused calls until they are written. A flood of them takes no more memory than the bounds. */
export function createRefusalTally(clock: () => number) {
  let counts = new Map<string, RefusalCount>()
  let callsOfKey = new Map<string, RefusedCall[]>()
  let calls = 0
  let dropped = 0

  function count({ projectId, keyId, code }: RefusedCall): void {
    const hour = Math.floor(clock() / hourMs) * hourMs
    const id = `${keyId} ${hour} ${code}`
    const found = counts.get(id)
    if (found) found.calls += 1
    else if (counts.size < maxCounts) counts.set(id, { projectId, keyId, hour, code, calls: 1 })
    else dropped += 1
  }

  function list(call: RefusedCall): void {
    const listed = callsOfKey.get(call.keyId)
    if (listed && listed.length >= listedPerKey) {
      listed.shift()
      listed.push(call)
    } else if (calls < maxCalls) {
      calls += 1
      if (listed) listed.push(call)
      else callsOfKey.set(call.keyId, [call])
    }
  }

  return {
    add(call: RefusedCall): void {
      count(call)
      list(call)
    },
    /** What was collected since the last time; null if nothing was. */
    take(): RefusalBatch | null {
      if (counts.size === 0) return null
      const batch = { counts: [...counts.values()], calls: [...callsOfKey.values()].flat() }
      counts = new Map()
      callsOfKey = new Map()
      calls = 0
      return batch
    },
    /** How many calls were not counted because too many keys were refused at once. */
    dropped: () => dropped,
  }
}

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
