import type { EventType } from '../../src/ledger/events.ts'

/** What the books must contain, simple enough to check by reading. */
export interface Stored {
  readonly prompt: string
  /** Unknown while the call is under way. */
  body: string | null
  /** The count of the budget that it was taken from. */
  readonly count: number | null
}

export const price = 3
/** The available credits below which the payer is notified. */
export const lowBalanceCredits = 8
export type Ending = 'confirmed' | 'refused, sent' | 'refused, not sent' | 'uncertain'

export type BudgetPer = 'day' | 'total'

export class Model {
  available = 0
  reserved = 0
  settled = 0
  isSuspended = false
  /** The budget of the chain of keys; null if there is none. Every new count gets a number. */
  budget: { credits: number; per: BudgetPer } | null = null
  spent = 0
  #count = 0
  /** The events that must have been raised, in order. */
  readonly events: EventType[] = ['key.created']
  #isEmptyReported = false
  #isBudgetReported = false
  readonly slots = new Map<string, Stored>()
  /** What operators moved, by kind and reference. */
  readonly movements = new Map<string, { credits: number; available: number; reserved: number }>()

  get isOverBudget(): boolean {
    return this.budget !== null && this.spent + price > this.budget.credits
  }

  /** The result of admitting a call. */
  admit(slot: string, prompt: string): 'suspended' | 'conflict' | 'replay' | 'broke' | 'over budget' | 'reserved' {
    if (this.isSuspended) return 'suspended'
    const earlier = this.slots.get(slot)
    if (earlier) return earlier.prompt === prompt ? 'replay' : 'conflict'
    if (this.available < price) {
      if (!this.#isEmptyReported) this.events.push('credits.empty')
      this.#isEmptyReported = true
      return 'broke'
    }
    if (this.isOverBudget) {
      if (!this.#isBudgetReported) this.events.push('key.budget_reached')
      this.#isBudgetReported = true
      return 'over budget'
    }
    if (this.budget) this.spent += price
    this.#take(price)
    this.reserved += price
    this.slots.set(slot, { prompt, body: null, count: this.budget ? this.#count : null })
    return 'reserved'
  }

  end(slot: string, ending: Ending, body: string): void {
    const call = this.slots.get(slot)!
    call.body = body
    if (ending === 'uncertain') {
      this.events.push('charge.review_opened')
      return
    }
    this.reserved -= price
    if (ending === 'confirmed') this.settled += price
    else this.#release(call)
    if (ending === 'refused, not sent') this.slots.delete(slot)
  }

  move(kind: 'grant' | 'withdraw', credits: number, reference: string): 'moved' | 'replayed' | 'conflict' | 'broke' {
    const slot = `${kind} ${reference}`
    const earlier = this.movements.get(slot)
    if (earlier) return earlier.credits === credits ? 'replayed' : 'conflict'
    if (kind === 'withdraw' && this.available < credits) return 'broke'
    this.events.push(kind === 'grant' ? 'credits.granted' : 'credits.withdrawn')
    if (kind === 'grant') this.#add(credits)
    else this.#take(credits)
    this.movements.set(slot, { credits, available: this.available, reserved: this.reserved })
    return 'moved'
  }

  credit(credits: number): void {
    this.events.push('order.credited')
    this.#add(credits)
  }

  decide(slot: string, to: 'settled' | 'released'): void {
    this.events.push('charge.review_decided')
    this.reserved -= price
    if (to === 'settled') this.settled += price
    else this.#release(this.slots.get(slot)!)
  }

  setBudget(budget: { credits: number; per: BudgetPer } | null): void {
    if (budget && budget.per !== this.budget?.per) this.newCount()
    this.budget = budget
    this.#isBudgetReported = false
  }

  newCount(): void {
    this.#count += 1
    this.spent = 0
    this.#isBudgetReported = false
  }

  #add(credits: number): void {
    this.available += credits
    this.#isEmptyReported = false
  }

  #take(credits: number): void {
    const wasEnough = this.available >= lowBalanceCredits
    this.available -= credits
    if (wasEnough && this.available < lowBalanceCredits) this.events.push('credits.low')
  }

  #release({ count }: Stored): void {
    this.available += price
    if (count === this.#count) this.spent -= price
  }
}
