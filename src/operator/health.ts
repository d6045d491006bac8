import { setTimeout as delay } from 'node:timers/promises'

export interface Health {
  /** The reasons why no traffic should come here; empty means ready. */
  readonly problems: () => Promise<string[]>
  readonly startDraining: () => void
}

export interface HealthDeps {
  readonly checkStore: () => Promise<void>
  readonly isLeaseHeld: () => boolean
  readonly isRecovered: () => boolean
}

const checkLimitMs = 2000

export function createHealth({ checkStore, isLeaseHeld, isRecovered }: HealthDeps): Health {
  let isDraining = false
  return {
    async problems() {
      const problems: string[] = []
      if (isDraining) problems.push('draining')
      if (!isRecovered()) problems.push('recovering charges of an earlier run')
      if (!isLeaseHeld()) problems.push('the claim on the store has run out')
      const inTime = delay(checkLimitMs, undefined, { ref: false }).then(() => Promise.reject(new Error('too slow')))
      const isReachable = await Promise.race([checkStore(), inTime]).then(
        () => true,
        () => false,
      )
      if (!isReachable) problems.push('the store cannot be written to')
      return problems
    },
    startDraining() {
      isDraining = true
    },
  }
}
