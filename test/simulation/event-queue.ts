import type { Process } from './world.ts'

export interface Event {
  readonly at: number
  readonly order: number
  readonly owner: Process
  readonly label: string
  readonly work: () => void
  isCancelled: boolean
}

/** A binary heap by time, then by order. */
export class EventQueue {
  readonly #events: Event[] = []

  add(event: Event): void {
    const events = this.#events
    let at = events.push(event) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(event, events[parent]!)) break
      events[at] = events[parent]!
      at = parent
    }
    events[at] = event
  }

  take(): Event | undefined {
    const events = this.#events
    const first = events[0]
    const last = events.pop()
    if (first === undefined || last === undefined || events.length === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= events.length) break
      if (child + 1 < events.length && isBefore(events[child + 1]!, events[child]!)) child += 1
      if (!isBefore(events[child]!, last)) break
      events[at] = events[child]!
      at = child
    }
    events[at] = last
    return first
  }
}

const isBefore = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order)
