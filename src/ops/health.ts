import { readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { devNull } from 'node:os'
import { delay } from '../base/timers.ts'

export interface Health {
  /** Why this instance should get no traffic; empty means ready. */
  readonly problems: () => Promise<string[]>
  readonly startDraining: () => void
}

interface HealthDeps {
  /** With `needsRoom`, a write that needs as much room as a commit of the books. */
  readonly checkStore: (options: { readonly needsRoom: boolean }) => Promise<void>
  readonly checkDescriptors: () => Promise<void>
  readonly isLeaseHeld: () => boolean
  readonly isRecovered: () => boolean
  readonly commits?: Commits
}

interface Commits {
  /** Whether the last ones failed. */
  readonly isFailing: () => boolean
  readonly failures: () => number
  /** A check with `needsRoom` succeeded; `failuresBefore` is what `failures` was when it began. */
  readonly checked: (failuresBefore: number) => void
  /** Whether something was committed in the last seconds. */
  readonly hasCommittedLately: () => boolean
}

const checkTimeoutMs = 2000

export function createHealth(deps: HealthDeps): Health {
  const { checkStore, checkDescriptors, isLeaseHeld, isRecovered, commits } = deps
  let isDraining = false
  let hasCheckFailed = false

  /** On a full disk a small write may fit where a commit does not, so after a failure only one that needs room counts. */
  async function storeOutcome() {
    const failuresBefore = commits?.failures() ?? 0
    const needsRoom = hasCheckFailed || failuresBefore > 0
    const outcome = await outcomeOf(checkStore({ needsRoom }))
    if (outcome !== 'slow') hasCheckFailed = outcome === 'failed'
    if (outcome === 'done' && needsRoom) commits?.checked(failuresBefore)
    return outcome
  }

  return {
    async problems() {
      const problems: string[] = []
      if (isDraining) problems.push('draining')
      if (!isRecovered()) problems.push('recovering charges of an earlier run')
      if (!isLeaseHeld()) problems.push('the lease has expired')
      const [store, descriptors] = await Promise.all([storeOutcome(), outcomeOf(checkDescriptors())])
      if (store === 'failed') problems.push('the store cannot be written to')
      else if (commits?.isFailing()) problems.push('the last commits failed')
      // Behind a full queue the check waits too. While commits succeed, that is load and not a fault.
      else if (store === 'slow' && !commits?.hasCommittedLately()) problems.push('the store does not respond')
      if (descriptors !== 'done') problems.push('the file descriptors are used up')
      return problems
    },
    startDraining() {
      isDraining = true
    },
  }
}

function outcomeOf(check: Promise<void>): Promise<'done' | 'failed' | 'slow'> {
  return Promise.race([
    check.then(
      () => 'done' as const,
      () => 'failed' as const,
    ),
    delay(checkTimeoutMs, { ref: false }).then(() => 'slow' as const),
  ])
}

/** Enough for a burst of clients, provider calls and store files. */
const spare = 16

/** Rejects when so few file descriptors are left that new connections would fail. */
export async function checkDescriptors(): Promise<void> {
  const opened = await Promise.allSettled(Array.from({ length: spare }, () => open(devNull)))
  const handles = opened.flatMap((result): FileHandle[] => (result.status === 'fulfilled' ? [result.value] : []))
  await Promise.all(handles.map((handle) => handle.close()))
  if (handles.length < spare) throw new Error(`only ${handles.length} file descriptors are left`)
}

/** Three quarters of the descriptor limit; the rest is for the store, providers and files. */
export function connectionLimit(): number {
  const limit = descriptorLimit()
  return limit === null ? Number.POSITIVE_INFINITY : Math.floor(limit * 0.75)
}

/** Null if the system does not report it. */
function descriptorLimit(): number | null {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]
    return soft === undefined ? null : Number(soft)
  } catch {
    return null
  }
}
