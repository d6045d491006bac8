import type { EventDraft } from '../ledger/books.ts'
import { newEventId } from '../ledger/books.ts'
import type { Engine, Writer } from './engine.ts'

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
  const { projectId, type, at, data } = event
  await tx.run('INSERT INTO events (event_id, project_id, type, happened_at, data) VALUES ($1, $2, $3, $4, $5)', [
    newEventId(event),
    projectId,
    type,
    at,
    JSON.stringify(data),
  ])
}
