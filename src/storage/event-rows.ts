import { type EventDraft, type EventType, newEventId } from '../ledger/events.ts'
import type { Engine, Writer } from './engine.ts'
import { integer, rowMapper, text } from './row-mapper.ts'

/** Its data is JSON. */
export const eventRows = rowMapper('events', {
  seq: integer(),
  id: text('event_id'),
  projectId: text(),
  type: text<EventType>(),
  at: integer('happened_at'),
  data: { encode: JSON.stringify, decode: (stored: string): EventDraft['data'] => JSON.parse(stored) },
})

/** Adds an event in the transaction of what happened. The store wakes the dispatcher after the commit. */
export type AddEvent = (event: EventDraft) => Promise<void>

/** Runs a transaction that may add events, and calls `onEvents` after its commit if it did. */
export async function writeWithEvents<T>(
  engine: Engine,
  onEvents: () => void,
  work: (tx: Writer, add: AddEvent) => Promise<T>,
): Promise<T> {
  let hasEvents = false
  const result = await engine.write((tx) => {
    // After a deadlock the work runs again.
    hasEvents = false
    return work(tx, async (event) => {
      hasEvents = true
      await addEvent(tx, event)
    })
  })
  if (hasEvents) onEvents()
  return result
}

export async function addEvent(tx: Writer, event: EventDraft): Promise<void> {
  await eventRows.insert(tx, { ...event, id: newEventId(event) })
}
