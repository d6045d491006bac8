import { unreadLimit } from '../../contract/choices.ts'
import type { EventPage, EventParameters } from '../../contract/events.ts'
import { type ProjectEvent, shownEvent } from '../../ledger/books.ts'

/**
 * Is told of every event, in the transaction that marks it as dispatched: what it writes with `tx` commits with that mark. It
 * awaits nothing but `tx`. If it throws, the event is dispatched again later, so it may see an event twice but never misses one.
 */
export interface EventSubscriber<Transaction> {
  receive(tx: Transaction, events: readonly ProjectEvent[]): Promise<void>
}

/** The events that were not dispatched yet. */
export interface EventQueue<Transaction> {
  /** Cheap: whether any event is due. */
  hasDue(now: number): Promise<boolean>
  /**
   * Takes the oldest due events, at most `limit`, passes them to `receive` and marks them as dispatched, all in one transaction.
   * Of two instances only one gets an event. Returns the events.
   */
  dispatch(
    page: { readonly now: number; readonly limit: number },
    receive: EventSubscriber<Transaction>['receive'],
  ): Promise<ProjectEvent[]>
  /** Makes an event wait, unless another instance has dispatched it. */
  postpone(eventId: string, dueAt: number): Promise<void>
  countDue(now: number): Promise<number>
}

/** The events that a payer sees. */
export interface EventLog {
  /** The newest first; `after` is the last event of the page before. */
  list(projectId: string, after: string | null, limit: number): Promise<ProjectEvent[]>
  /** Events since the list was last marked as read, at most `limit`. */
  countUnread(projectId: string, limit: number): Promise<number>
  markRead(projectId: string): Promise<void>
}

export interface EventPruner {
  /** Deletes dispatched events from before this time, at most `limit`. Returns how many. */
  prune(before: number, limit: number): Promise<number>
}

export interface LowBalanceReader {
  /** The threshold of `credits.low`; null if there is none. */
  lowBalance(projectId: string): Promise<number | null>
}

export interface LowBalanceWriter extends LowBalanceReader {
  /** Null raises no `credits.low`. */
  setLowBalance(projectId: string, credits: number | null): Promise<void>
}

/** A page of a project's events, the newest first, and how many are unread. */
export async function eventPage(
  log: Pick<EventLog, 'list' | 'countUnread'>,
  projectId: string,
  { after, limit }: EventParameters,
): Promise<EventPage> {
  const events = await log.list(projectId, after ?? null, limit + 1)
  return {
    items: events.slice(0, limit).map(shownEvent),
    nextCursor: events.length > limit ? events[limit - 1]!.id : null,
    unread: await log.countUnread(projectId, unreadLimit),
  }
}
