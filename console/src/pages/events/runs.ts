import type { GatewayEvent } from '../../api/types.ts'

export interface EventRun {
  /** The newest of them. */
  readonly event: GatewayEvent
  readonly count: number
}

/** Drops the recharge of a late payment, which has a notice of its own. */
export function withoutRepeats(events: readonly GatewayEvent[]): readonly GatewayEvent[] {
  const late = new Set(events.flatMap(({ type, data }) => (type === 'payment.credited_late' ? [data.orderId] : [])))
  return late.size === 0
    ? events
    : events.filter(({ type, data }) => type !== 'order.credited' || !late.has(data.orderId))
}

/** The number of unread events that are shown. Of more than one page, the newest are looked at. */
export const unreadOf = ({ items, unread }: { items: readonly GatewayEvent[]; unread: number }): number => {
  const newest = items.slice(0, unread)
  return unread - (newest.length - withoutRepeats(newest).length)
}

/** Groups consecutive events of one type, so that a burst does not hide the others. */
export function runsOf(events: readonly GatewayEvent[]): EventRun[] {
  const runs: { event: GatewayEvent; count: number }[] = []
  for (const event of withoutRepeats(events)) {
    const run = runs.at(-1)
    if (run?.event.type === event.type) run.count += 1
    else runs.push({ event, count: 1 })
  }
  return runs
}
