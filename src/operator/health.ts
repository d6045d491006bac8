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
}

const checkTimeoutMs = 2000

export function createHealth(deps: HealthDeps): Health {
  const { checkStore, checkDescriptors, isLeaseHeld, isRecovered, areCommitsFailing = () => false } = deps
  let isDraining = false
  return {
    async problems() {
      const problems: string[] = []
      if (isDraining) problems.push('draining')
      if (!isRecovered()) problems.push('recovering charges of an earlier run')
      if (!isLeaseHeld()) problems.push('the lease has expired')
      const [isWritable, hasDescriptors] = await Promise.all([succeeds(checkStore()), succeeds(checkDescriptors())])
      if (!isWritable) problems.push('the store cannot be written to')
      else if (areCommitsFailing()) problems.push('the last commits failed')
      if (!hasDescriptors) problems.push('the file descriptors are used up')
      return problems
    },
    startDraining() {
      isDraining = true
    },
  }
}

async function succeeds(check: Promise<void>): Promise<boolean> {
  const timeout = delay(checkTimeoutMs, false, { ref: false })
  return Promise.race([
    check.then(
      () => true,
      () => false,
    ),
    timeout,
  ])
}
