import type { GatewayEvent } from '../../api/types.ts'

export interface EventRun {
  /** The newest of them. */
  readonly event: GatewayEvent
  readonly count: number
}

/** Groups consecutive events of one type, so that a burst does not hide the others. */
export function runsOf(events: readonly GatewayEvent[]): EventRun[] {
  const runs: { event: GatewayEvent; count: number }[] = []
  for (const event of events) {
    const run = runs.at(-1)
    if (run?.event.type === event.type) run.count += 1
    else runs.push({ event, count: 1 })
  }
  return runs
}
