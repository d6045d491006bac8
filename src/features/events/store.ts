import { sortableIdFloor } from '../../base/ids.ts'
import { defaultLowBalanceCredits } from '../../contract/choices.ts'
import type { ProjectEvent } from '../../ledger/books.ts'
import type { Engine, Reader, Writer } from '../../storage/engine.ts'
import type { EventLog, EventPruner, EventQueue, LowBalanceReader, LowBalanceWriter } from './ports.ts'

export function createEventStore(engine: Engine): EventQueue<Writer> & EventLog & EventPruner {
  return {
    hasDue: (now) => engine.read(async (tx) => (await tx.get(`${selectDue} LIMIT 1`, [now])) !== undefined),
    dispatch: ({ now, limit }, receive) =>
      engine.write(async (tx) => {
        const rows = await tx.all<StoredEvent>(takeDue, [now, limit])
        const events = rows.sort((a, b) => a.seq - b.seq).map(toEvent)
        if (events.length > 0) await receive(tx, events)
        return events
      }),
    postpone: async (eventId, dueAt) => {
      await engine.write((tx) =>
        tx.run('UPDATE events SET due_at = $2 WHERE event_id = $1 AND due_at IS NOT NULL', [eventId, dueAt]),
      )
    },
    countDue: (now) =>
      engine.read(
        async (tx) =>
          (await tx.get<{ due: number }>('SELECT COUNT(*) AS due FROM events WHERE due_at <= $1', [now]))!.due,
      ),
    list: (projectId, after, limit) =>
      engine.read(async (tx) => {
        const rows =
          after === null
            ? await tx.all<StoredEvent>(newestEvents, [projectId, limit])
            : await tx.all<StoredEvent>(eventsAfter, [projectId, limit, after])
        return rows.map(toEvent)
      }),
    countUnread: (projectId, limit) =>
      engine.read(async (tx) => (await tx.get<{ unread: number }>(selectUnread, [projectId, limit]))!.unread),
    markRead: async (projectId) => {
      await engine.write((tx) => tx.run(markRead, [projectId]))
    },
    prune: (before, limit) => engine.write((tx) => tx.run(pruneOldest, [sortableIdFloor('evt', before), limit])),
  }
}

export const lowBalanceReader = (tx: Reader): LowBalanceReader => ({
  lowBalance: async (projectId) => {
    const row = await tx.get<{ credits: number | null }>(
      'SELECT low_balance_credits AS credits FROM balances WHERE project_id = $1',
      [projectId],
    )
    return row?.credits === 0 ? null : (row?.credits ?? defaultLowBalanceCredits)
  },
})

/** Batches notice the change: they check the threshold with the balance. */
export const lowBalanceWriter = (tx: Writer): LowBalanceWriter => ({
  ...lowBalanceReader(tx),
  setLowBalance: async (projectId, credits) => {
    await tx.run('UPDATE balances SET low_balance_credits = $2 WHERE project_id = $1', [projectId, credits ?? 0])
  },
})

type StoredEvent = Omit<ProjectEvent, 'data'> & { readonly data: string; readonly seq: number }

const toEvent = ({ id, type, at, projectId, data }: StoredEvent): ProjectEvent =>
  ({ id, type, at, projectId, data: JSON.parse(data) }) as ProjectEvent

const columns = 'seq, event_id AS "id", project_id AS "projectId", type, happened_at AS "at", data'

const selectDue = 'SELECT seq FROM events WHERE due_at <= $1'

/** Repeated outside: for an event that another instance has dispatched meanwhile, PostgreSQL rechecks only the outer condition. */
const takeDue = `UPDATE events SET due_at = NULL
  WHERE seq IN (${selectDue} ORDER BY due_at, seq LIMIT $2) AND due_at <= $1 RETURNING ${columns}`

const newestEvents = `SELECT ${columns} FROM events WHERE project_id = $1 ORDER BY seq DESC LIMIT $2`

const eventsAfter = `SELECT ${columns} FROM events
  WHERE project_id = $1 AND seq < (SELECT seq FROM events WHERE event_id = $3 AND project_id = $1) ORDER BY seq DESC LIMIT $2`

const selectUnread = `SELECT COUNT(*) AS unread FROM (SELECT 1 FROM events
  WHERE project_id = $1 AND seq > (SELECT events_read_to FROM projects WHERE project_id = $1) LIMIT $2) AS newer`

const markRead = `UPDATE projects SET events_read_to = COALESCE(
    (SELECT MAX(seq) FROM events WHERE project_id = $1), events_read_to)
  WHERE project_id = $1`

/** Ids sort by time, so no index by age is needed. */
const pruneOldest = `DELETE FROM events WHERE seq IN (
    SELECT seq FROM events WHERE event_id < $1 AND due_at IS NULL ORDER BY event_id LIMIT $2)`
