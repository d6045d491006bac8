import type { Books, Changes } from '../../ledger/books.ts'
import type { Balance, ChargeRecord, Command, CommandResult, KeyState } from '../../ledger/commands.ts'
import { emptyBooks } from '../books/book-rows.ts'
import type { ExpectedRows } from './book-statements.ts'

/** A batch decided on cached rows. It commits only if the server still has them as expected. */
export interface OptimisticBatch {
  readonly books: Books
  readonly expected: ExpectedRows
}

/**
 * Rows as this gateway last wrote them, so that a batch needs no round trip to load them. Others may have changed them
 * since: the server checks while it writes (`book-statements.ts`). A failed batch costs a round trip, so after a failure
 * caching pauses for a while: it never pays where several gateways serve the same customers or most calls are replays.
 */
export class RowCache {
  readonly #keys = new Map<string, KeyState>()
  readonly #balances = new Map<string, Balance>()
  /** Charges that this gateway reserved and has not ended. */
  readonly #charges = new Map<string, ChargeRecord>()
  /** Projects of batches under way: their rows are about to change. */
  readonly #busyProjects = new Map<string, number>()
  #entryIds: number[] = []
  #pausedBatches = 0
  #lastPause = 0
  #successesInARow = 0

  /**
   * Null when something is not cached. Assumes that every Idempotency-Key is new; a unique index refuses the batch if one is
   * not.
   */
  optimistic(commands: readonly Command[]): OptimisticBatch | null {
    if (this.#pausedBatches > 0) {
      this.#pausedBatches -= 1
      return null
    }
    const books = emptyBooks(0)
    for (const command of commands) {
      if (this.#busyProjects.has(command.projectId) || !this.#copyInto(books, command)) return null
    }
    const lastEntryId = Math.max(...[...books.balances.values()].map((row) => row.lastEntryId ?? 0))
    const firstId = this.#takeEntryIds(lastEntryId)
    if (firstId === undefined) return null
    books.nextEntryId = firstId
    return { books, expected: { balances: this.#balances, keys: this.#keys } }
  }

  /** Runs a batch with its projects marked as busy. */
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

  /** Caches what a batch has written, and ids that later entries may have. */
  store(books: Books, changes: Changes, entryIds: number): void {
    if (Math.max(this.#keys.size, this.#balances.size, this.#charges.size) > maxCached) this.#clear()
    for (const key of books.keys.values()) this.#keys.set(key.keyId, key)
    for (const balance of books.balances.values()) this.#balances.set(balance.projectId, balance)
    for (const { chargeId } of changes.reserved) this.#charges.set(chargeId, books.charges.get(chargeId)!)
    for (const { charge } of changes.ended) this.#charges.delete(charge.chargeId)
    this.#entryIds = [...this.#entryIds, entryIds].slice(-maxEntryIds)
  }

  succeeded(): void {
    this.#successesInARow += 1
    if (this.#successesInARow === enoughInARow) this.#lastPause = 0
  }

  failed(): void {
    this.#successesInARow = 0
    this.#lastPause = Math.min(2 * this.#lastPause + 1, longestPause)
    this.#pausedBatches = this.#lastPause
  }

  /** Copies, because the rules change them. */
  #copyInto(books: Books, command: Command): boolean {
    const balance = this.#balances.get(command.projectId)
    if (!balance || command.type === 'credit') return false
    if (!books.balances.has(command.projectId)) books.balances.set(command.projectId, { ...balance })
    if (command.type === 'end') {
      const charge = this.#charges.get(command.chargeId)
      if (charge) books.charges.set(charge.chargeId, { ...charge })
      return charge !== undefined
    }
    const key = this.#keys.get(command.keyId)
    if (key && !books.keys.has(key.keyId)) books.keys.set(key.keyId, { ...key })
    return key !== undefined
  }

  /** EntryRecord ids of a project must rise, so ids drawn before its last entry are useless. */
  #takeEntryIds(lastEntryId: number): number | undefined {
    const place = this.#entryIds.findIndex((first) => first > lastEntryId)
    return place < 0 ? undefined : this.#entryIds.splice(place, 1)[0]
  }

  #clear(): void {
    this.#keys.clear()
    this.#balances.clear()
    this.#charges.clear()
  }
}

/** Only these results depend solely on rows that the server checks. */
export const isVerified = ({ kind }: CommandResult): boolean => kind === 'reserved' || kind === 'ended'

const maxCached = 10_000
const maxEntryIds = 4
const longestPause = 256
/** One failure costs what several successes gain, so nearly all must succeed. */
const enoughInARow = 16
