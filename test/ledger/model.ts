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
  isSuspended = false
  readonly slots = new Map<string, Stored>()
  /** What operators moved, by kind and reference. */
  readonly movements = new Map<string, { credits: number; available: number; reserved: number }>()

  /** The result of admitting a call. */
  admit(slot: string, prompt: string): 'suspended' | 'conflict' | 'replay' | 'broke' | 'reserved' {
    if (this.isSuspended) return 'suspended'
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

  move(kind: 'grant' | 'withdraw', credits: number, reference: string): 'moved' | 'replayed' | 'conflict' | 'broke' {
    const slot = `${kind} ${reference}`
    const earlier = this.movements.get(slot)
    if (earlier) return earlier.credits === credits ? 'replayed' : 'conflict'
    if (kind === 'withdraw' && this.available < credits) return 'broke'
    this.available += kind === 'grant' ? credits : -credits
    this.movements.set(slot, { credits, available: this.available, reserved: this.reserved })
    return 'moved'
  }

  decide(to: 'settled' | 'released'): void {
    this.reserved -= price
    this[to === 'settled' ? 'settled' : 'available'] += price
  }
}
