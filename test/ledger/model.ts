/** What the books must contain, simple enough to check by reading. */
export interface Stored {
  readonly prompt: string
  /** Unknown while the call is under way. */
  body: string | null
}

export const price = 3
export type Ending = 'confirmed' | 'refused, sent' | 'refused, not sent' | 'uncertain'

export class Model {
  available = 0
  reserved = 0
  settled = 0
  readonly slots = new Map<string, Stored>()

  /** The result of admitting a call. */
  admit(slot: string, prompt: string): 'conflict' | 'replay' | 'broke' | 'reserved' {
    const earlier = this.slots.get(slot)
    if (earlier) return earlier.prompt === prompt ? 'replay' : 'conflict'
    if (this.available < price) return 'broke'
    this.available -= price
    this.reserved += price
    this.slots.set(slot, { prompt, body: null })
    return 'reserved'
  }

  end(slot: string, ending: Ending, body: string): void {
    this.slots.get(slot)!.body = body
    if (ending === 'uncertain') return
    this.reserved -= price
    if (ending === 'confirmed') this.settled += price
    else this.available += price
    if (ending === 'refused, not sent') this.slots.delete(slot)
  }

  decide(to: 'settled' | 'released'): void {
    this.reserved -= price
    this[to === 'settled' ? 'settled' : 'available'] += price
  }
}
