import { unreadLimit } from '../contract/console/event-limits.ts'
import type { EventPage, EventParameters } from '../contract/console/events.ts'
import { shownEvent } from './event.ts'
import type { EventLog } from './ports.ts'

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
