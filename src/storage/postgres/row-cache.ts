import { type BatchState, type Changes, isMovement } from '../../ledger/batch-state.ts'
import type { Balance, BudgetState, ChargeRecord, Command, CommandResult, KeyState } from '../../ledger/commands.ts'
import { emptyBatchState } from '../batch/rows.ts'
import type { ExpectedRows } from './batch-statements.ts'

/** A batch decided on cached rows. It commits only if those rows have not changed on the server. */
export interface OptimisticBatch {
  readonly state: BatchState
  readonly expected: ExpectedRows
}

/**
 * Rows as this gateway last wrote them, which saves the round trip that loads them. Other gateways may have changed them, so
 * the server checks them as it writes (`batch-statements.ts`). A failed batch costs a round trip, so each failure pauses the
 * cache: it does not pay if several gateways serve the same customers, or if most calls are replays.
 */
export class RowCache {
  readonly #keys = new Map<string, KeyState>()
  readonly #budgets = new Map<string, BudgetState>()
  readonly #balances = new Map<string, Balance>()
  /** Charges reserved by this gateway and not ended. */
  readonly #charges = new Map<string, ChargeRecord>()
  /** Number of batches in progress by project; their rows are about to change. */
  readonly #busyProjects = new Map<string, number>()
  #entryIds: number[] = []
  #pausedBatches = 0
  #pauseLength = 0
  #successesInARow = 0
  /** Grows each time everything is forgotten. */
  generation = 0

  /** Null if a row is not cached. Assumes that every Idempotency-Key is new; otherwise a unique index rejects the batch. */
  optimistic(commands: readonly Command[]): OptimisticBatch | null {
    if (this.#pausedBatches > 0) {
      this.#pausedBatches -= 1
      return null
    }
    const state = emptyBatchState(0)
    for (const command of commands) {
      if (this.#busyProjects.has(command.projectId) || !this.#copyInto(state, command)) return null
    }
    const lastEntryId = Math.max(...[...state.balances.values()].map((row) => row.lastEntryId ?? 0))
    const firstId = this.#takeEntryIds(lastEntryId)
    if (firstId === undefined) return null
    state.nextEntryId = firstId
    return { state, expected: { balances: this.#balances, keys: this.#keys, budgets: this.#budgets } }
  }

  /** Runs `work` with the batch's projects marked as busy. */
  async during<T>(commands: readonly Command[], work: () => Promise<T>): Promise<T> {
    const projects = new Set(commands.map(({ projectId }) => projectId))
    for (const projectId of projects) this.#busyProjects.set(projectId, (this.#busyProjects.get(projectId) ?? 0) + 1)
    try {
      return await work()
    } finally {
      for (const projectId of projects) {
        const others = this.#busyProjects.get(projectId)! - 1
        if (others > 0) this.#busyProjects.set(projectId, others)
        else this.#busyProjects.delete(projectId)
      }
    }
  }

  /** Caches what a batch wrote, and the entry ids it allocated for later batches. */
  store(state: BatchState, changes: Changes, entryIds: number): void {
    const rows = Math.max(this.#keys.size, this.#budgets.size, this.#balances.size, this.#charges.size)
    if (rows > maxCached) this.#clear()
    for (const key of state.keys.values()) this.#keys.set(key.keyId, key)
    for (const budget of state.budgets.values()) this.#budgets.set(budget.budgetId, budget)
    for (const balance of state.balances.values()) this.#balances.set(balance.projectId, balance)
    for (const { charge } of changes.reserved) this.#charges.set(charge.chargeId, charge)
    for (const { charge } of changes.ended) this.#charges.delete(charge.chargeId)
    this.#entryIds = [...this.#entryIds, entryIds].slice(-maxEntryIds)
  }

  /** For a server that may never have had these rows, such as a promoted standby or a restored one. */
  forget(): void {
    this.#clear()
    this.#entryIds = []
    this.generation += 1
  }

  succeeded(): void {
    this.#successesInARow += 1
    if (this.#successesInARow === successesToReset) this.#pauseLength = 0
  }

  failed(): void {
    this.#successesInARow = 0
    this.#pauseLength = Math.min(2 * this.#pauseLength + 1, maxPause)
    this.#pausedBatches = this.#pauseLength
  }

  /** Copies the rows, because the rules change them. */
  #copyInto(state: BatchState, command: Command): boolean {
    const balance = this.#balances.get(command.projectId)
    if (!balance || command.type === 'credit' || isMovement(command)) return false
    // Nothing that the server checks would change with a job alone; refunds are rare.
    if (command.type === 'track' || command.type === 'hold' || command.type === 'unhold') return false
    if (!state.balances.has(command.projectId)) state.balances.set(command.projectId, { ...balance })
    if (command.type === 'end') {
      const charge = this.#charges.get(command.chargeId)
      if (!charge) return false
      state.charges.set(charge.chargeId, { ...charge })
      return command.to !== 'released' || this.#copyBudget(state, charge.budgetId)
    }
    const key = this.#keys.get(command.keyId)
    if (!key) return false
    if (!state.keys.has(key.keyId)) state.keys.set(key.keyId, { ...key })
    return this.#copyBudget(state, key.budgetId)
  }

  #copyBudget(state: BatchState, budgetId: string | null): boolean {
    if (budgetId === null || state.budgets.has(budgetId)) return true
    const budget = this.#budgets.get(budgetId)
    if (budget) state.budgets.set(budgetId, { ...budget })
    return budget !== undefined
  }

  /** Entry ids of a project must rise, so ids below its last entry's are useless. */
  #takeEntryIds(lastEntryId: number): number | undefined {
    const index = this.#entryIds.findIndex((first) => first > lastEntryId)
    return index < 0 ? undefined : this.#entryIds.splice(index, 1)[0]
  }

  #clear(): void {
    this.#keys.clear()
    this.#budgets.clear()
    this.#balances.clear()
    this.#charges.clear()
  }
}

/** Only these results depend solely on rows that the server checks. */
export const isVerified = ({ kind }: CommandResult): boolean => kind === 'reserved' || kind === 'ended'

const maxCached = 10_000
const maxEntryIds = 4
const maxPause = 256
/** One failure costs as much as several successes gain. */
const successesToReset = 16
