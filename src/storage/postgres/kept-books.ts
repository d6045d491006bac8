import type { Balance, Charge, Command, KeyState, Result } from '../../ledger/commands.ts'
import type { Books, Changes } from '../../ledger/rules.ts'
import { emptyBooks } from '../book-rows.ts'

/** Books that were not read but remembered, and the rows as they must still be for that to be right. */
export interface Guess {
  readonly books: Books
  readonly balances: ReadonlyMap<string, Balance>
  readonly keys: ReadonlyMap<string, KeyState>
}

/**
 * The rows of the books as this gateway last left them. Others may have changed them since, so that a batch made of them is
 * a guess: the server confirms it while it writes (`state-writes.ts`). A wrong one costs a flight, and then there are
 * none for a while: where several gateways serve the same customers, or calls are mostly replays, they would fail.
 */
export class KeptBooks {
  readonly #keys = new Map<string, KeyState>()
  readonly #balances = new Map<string, Balance>()
  /** Under way, and reserved by this gateway. */
  readonly #charges = new Map<string, Charge>()
  /** Projects of the batches under way: what is kept of them is about to change. */
  readonly #busy = new Map<string, number>()
  #entryIds: number[] = []
  #pause = 0
  #lastPause = 0
  #rightInARow = 0

  /** Null when something is not at hand. Nobody knows who has used an Idempotency-Key: the guess is that nobody has. */
  guess(commands: readonly Command[]): Guess | null {
    if (this.#pause > 0) {
      this.#pause -= 1
      return null
    }
    const books = emptyBooks(0)
    for (const command of commands) {
      if (this.#busy.has(command.projectId) || !this.#lay(books, command)) return null
    }
    const first = this.#takeEntryIds(Math.max(...[...books.balances.values()].map((row) => row.lastEntryId ?? 0)))
    if (first === undefined) return null
    books.nextEntryId = first
    return { books, balances: this.#balances, keys: this.#keys }
  }

  /** Runs a batch with its projects marked as about to change. */
  async during<T>(commands: readonly Command[], work: () => Promise<T>): Promise<T> {
    const projects = new Set(commands.map(({ projectId }) => projectId))
    for (const projectId of projects) this.#busy.set(projectId, (this.#busy.get(projectId) ?? 0) + 1)
    try {
      return await work()
    } finally {
      for (const projectId of projects) {
        const others = this.#busy.get(projectId)! - 1
        if (others > 0) this.#busy.set(projectId, others)
        else this.#busy.delete(projectId)
      }
    }
  }

  /** Remembers what a batch left behind, and ids that later entries may have. */
  keep(books: Books, changes: Changes, entryIds: number): void {
    if (Math.max(this.#keys.size, this.#balances.size, this.#charges.size) > maxKept) this.#forget()
    for (const key of books.keys.values()) this.#keys.set(key.keyId, key)
    for (const balance of books.balances.values()) this.#balances.set(balance.projectId, balance)
    for (const { chargeId } of changes.reserved) this.#charges.set(chargeId, books.charges.get(chargeId)!)
    for (const { charge } of changes.ended) this.#charges.delete(charge.chargeId)
    this.#entryIds = [...this.#entryIds, entryIds].slice(-maxEntryIds)
  }

  wasRight(): void {
    this.#rightInARow += 1
    if (this.#rightInARow === enoughInARow) this.#lastPause = 0
  }

  wasWrong(): void {
    this.#rightInARow = 0
    this.#lastPause = Math.min(2 * this.#lastPause + 1, longestPause)
    this.#pause = this.#lastPause
  }

  /** Copies, since the rules change them. */
  #lay(books: Books, command: Command): boolean {
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

  /** The ids of a project must rise: those drawn before its last entry are of no use to it. */
  #takeEntryIds(past: number): number | undefined {
    const place = this.#entryIds.findIndex((first) => first > past)
    return place < 0 ? undefined : this.#entryIds.splice(place, 1)[0]
  }

  #forget(): void {
    this.#keys.clear()
    this.#balances.clear()
    this.#charges.clear()
  }
}

/** What the rules answer only from rows that the server confirms; anything else may be due to one it was not asked about. */
export const isSure = ({ kind }: Result): boolean => kind === 'reserved' || kind === 'ended'

const maxKept = 10_000
const maxEntryIds = 4
const longestPause = 256
/** A wrong guess loses what several right ones gain: they are worth it only when nearly all are right. */
const enoughInARow = 16
