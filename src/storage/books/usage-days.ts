import type { Changes } from '../../ledger/books.ts'
import { type DayNumber, dayOf } from '../../reporting/days.ts'

export interface SettledUsage {
  readonly projectId: string
  readonly day: DayNumber
  readonly operation: string
  calls: number
  credits: number
}

/** What a batch settled, summed by project, day and operation, so that each row is written once. */
export function settledUsage({ ended }: Changes): SettledUsage[] {
  const sums = new Map<string, SettledUsage>()
  for (const { command, charge } of ended) {
    if (command.to !== 'settled') continue
    const { projectId, operation, credits } = charge
    const day = dayOf(command.at)
    const key = `${projectId} ${day} ${operation}`
    let sum = sums.get(key)
    if (!sum) {
      sum = { projectId, day, operation, calls: 0, credits: 0 }
      sums.set(key, sum)
    }
    sum.calls += 1
    sum.credits += credits
  }
  return [...sums.values()]
}
