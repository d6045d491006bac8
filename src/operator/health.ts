import { setTimeout as delay } from 'node:timers/promises'

export interface Health {
  /** Why this instance should get no traffic; empty means ready. */
  readonly problems: () => Promise<string[]>
  readonly startDraining: () => void
}

export interface HealthDeps {
  readonly checkStore: () => Promise<void>
  readonly checkDescriptors: () => Promise<void>
  readonly isLeaseHeld: () => boolean
  readonly isRecovered: () => boolean
  /** Whether the last commits of the books failed. */
  readonly areCommitsFailing?: () => boolean
  /** Whether the books committed something in the last seconds. */
  readonly hasCommittedLately?: () => boolean
}

const checkTimeoutMs = 2000

export function createHealth(deps: HealthDeps): Health {
  const { checkStore, checkDescriptors, isLeaseHeld, isRecovered, areCommitsFailing = () => false } = deps
  const { hasCommittedLately = () => false } = deps
  let isDraining = false
  return {
    async problems() {
      const problems: string[] = []
      if (isDraining) problems.push('draining')
      if (!isRecovered()) problems.push('recovering charges of an earlier run')
      if (!isLeaseHeld()) problems.push('the lease has expired')
      const [store, descriptors] = await Promise.all([outcomeOf(checkStore()), outcomeOf(checkDescriptors())])
      if (store === 'failed') problems.push('the store cannot be written to')
      else if (areCommitsFailing()) problems.push('the last commits failed')
      // Behind a full queue the check waits like everybody else. While commits succeed, that is load and not a fault.
      else if (store === 'slow' && !hasCommittedLately()) problems.push('the store does not respond')
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
    delay(checkTimeoutMs, 'slow' as const, { ref: false }),
  ])
}
