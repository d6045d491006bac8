import { sortableIdFloor } from '../../../base/ids.ts'
import { defaultLowBalanceCredits } from '../../../contract/choices.ts'
import type { EventType } from '../../../contract/events.ts'
import type { ProjectEvent } from '../../../ledger/events.ts'
import { readLowBalance, writeLowBalance } from '../../../storage/balance-rows.ts'
import { claimQueue } from '../../../storage/claim-queue.ts'
import type { Engine, Reader, Row, Writer } from '../../../storage/engine.ts'
import { eventRows } from '../../../storage/event-rows.ts'
import type { RowOf } from '../../../storage/row-mapper.ts'

/**
 * Receives every event, in the transaction that marks it as dispatched: what it writes with `tx` commits with that mark. It
 * awaits nothing but `tx`. If it throws, the event is dispatched again later, so it may see an event twice but never misses one.
 */
export interface EventSubscriber {
  receive(tx: Writer, events: readonly ProjectEvent[]): Promise<void>
}

export type EventStore = ReturnType<typeof createEventStore>

export const createEventStore = (engine: Engine) => ({
  hasDue: (now: number) => engine.read((tx) => queue.hasDue(tx, now)),
  /**
   * Takes the oldest due events, at most `limit`, passes them to `receive` and marks them as dispatched, all in one transaction.
   * Of two instances only one gets an event. Returns the events.
   */
  dispatch: (
    { now, limit }: { readonly now: number; readonly limit: number },
    receive: EventSubscriber['receive'],
  ): Promise<ProjectEvent[]> =>
    engine.write(async (tx) => {
      const rows = (await tx.all(takeDue, [now, limit])) as (Row & { seq: number })[]
      const events = rows.sort((a, b) => a.seq - b.seq).map(toEvent)
      if (events.length > 0) await receive(tx, events)
      return events
    }),
  /** Makes an event wait, unless another instance has dispatched it. */
  postpone: (eventId: string, dueAt: number) =>
    engine.write((tx) =>
      tx.run('UPDATE events SET due_at = $2 WHERE event_id = $1 AND due_at IS NOT NULL', [eventId, dueAt]),
    ),
  countDue: (now: number) => engine.read((tx) => queue.countDue(tx, now)),
  /** The newest first; `after` is the last event of the page before. */
  list: (projectId: string, after: string | null, limit: number, type?: EventType): Promise<ProjectEvent[]> =>
    engine.read(async (tx) => {
      const params = [projectId, limit, ...(after === null ? [] : [after]), ...(type === undefined ? [] : [type])]
      const before = after === null ? '' : 'AND seq < (SELECT seq FROM events WHERE event_id = $3 AND project_id = $1)'
      const ofType = type === undefined ? '' : `AND type = $${params.length}`
      const chosen = `FROM events WHERE project_id = $1 ${before} ${ofType} ORDER BY seq DESC LIMIT $2`
      const rows = await tx.all(`SELECT ${eventRows.list} ${chosen}`, params)
      return rows.map(toEvent)
    }),
  /** Events since the list was last marked as read, at most `limit`. */
  countUnread: (projectId: string, limit: number) =>
    engine.read(async (tx) => (await tx.get<{ unread: number }>(selectUnread, [projectId, limit]))!.unread),
  markRead: (projectId: string) => engine.write((tx) => tx.run(markRead, [projectId])),
  /** Deletes dispatched events from before this time, at most `limit`. Returns how many. */
  prune: (before: number, limit: number) =>
    engine.write((tx) => tx.run(pruneOldest, [sortableIdFloor('evt', before), limit])),
})

/** The threshold of `credits.low`; null if there is none. */
export async function lowBalance(tx: Reader, projectId: string): Promise<number | null> {
  const credits = await readLowBalance(tx, projectId)
  return credits === 0 ? null : (credits ?? defaultLowBalanceCredits)
}

/** Null raises no `credits.low`. Batches notice the change: they check the threshold with the balance. */
export const setLowBalance = (tx: Writer, projectId: string, credits: number | null) =>
  writeLowBalance(tx, projectId, credits ?? 0)

const toEvent = (stored: Row): ProjectEvent => {
  const { id, type, at, projectId, data } = eventRows.decode(stored)
  return { id, type, at, projectId, data } as ProjectEvent
}

const queue = claimQueue({ table: 'events', id: 'seq', dueAt: 'due_at' })

const takeDue = queue.claim({
  set: 'due_at = NULL',
  candidates: `SELECT seq FROM events WHERE ${queue.isDue} ORDER BY due_at, seq LIMIT $2`,
  returning: eventRows.list,
})

const selectUnread = `SELECT COUNT(*) AS unread FROM (SELECT 1 FROM events
  WHERE project_id = $1 AND seq > (SELECT events_read_to FROM projects WHERE project_id = $1) LIMIT $2) AS newer`

const markRead = `UPDATE projects SET events_read_to = COALESCE(
    (SELECT MAX(seq) FROM events WHERE project_id = $1), events_read_to)
  WHERE project_id = $1`

/** Ids sort by time, so no index by age is needed. */
const pruneOldest = `DELETE FROM events WHERE seq IN (
    SELECT seq FROM events WHERE event_id < $1 AND due_at IS NULL ORDER BY event_id LIMIT $2)`

/** The types whose data name a charge. */
const chargeTypes = ['charge.review_opened', 'charge.review_decided', 'media.job_finished'] as const
/** Among the newest of each type: an index has the type, and none the charge. */
const maxSearched = 1000

/** The events about a charge, the oldest first. */
export async function eventsOfCharge(tx: Reader, projectId: string, chargeId: string) {
  const found: RowOf<typeof eventRows.columns>[] = []
  for (const type of chargeTypes) {
    const newest = await eventRows.all(tx, 'WHERE project_id = $1 AND type = $2 ORDER BY seq DESC LIMIT $3', [
      ...[projectId, type, maxSearched],
    ])
    found.push(...newest.filter(({ data }) => 'chargeId' in data && data.chargeId === chargeId))
  }
  return found.sort((a, b) => a.seq - b.seq)
}
