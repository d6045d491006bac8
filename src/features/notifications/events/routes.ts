import { unreadLimit } from '../../../contract/choices.ts'
import type { EventPage, EventParameters, EventsRead } from '../../../contract/events.ts'
import { endpoint, ok, type ViewDeps, viewRoute } from '../../../http/endpoint.ts'
import type { Route } from '../../../http/route.ts'
import { shownEvent } from '../../../ledger/events.ts'
import type { EventStore } from './store.ts'

type EventLog = Pick<EventStore, 'list' | 'countUnread' | 'markRead'>

export function eventRoutes({ eventLog, ...deps }: ViewDeps & { readonly eventLog: EventLog }): Route[] {
  const { operation, guards } = deps
  return [
    viewRoute<EventParameters>(deps, 'console.events.list', async ({ session, query }) =>
      ok(await eventPage(eventLog, session.projectId, query)),
    ),
    endpoint(operation('console.events.read'), async (call, read) => {
      const { projectId } = await guards.sessionWrite(call)
      await read(call)
      await eventLog.markRead(projectId)
      return ok({ unread: 0 } satisfies EventsRead)
    }),
  ]
}

/** A page of a project's events, the newest first, and how many are unread. */
async function eventPage(
  log: EventLog,
  projectId: string,
  { after, type, limit }: EventParameters,
): Promise<EventPage> {
  const events = await log.list(projectId, after ?? null, limit + 1, type)
  return {
    items: events.slice(0, limit).map(shownEvent),
    nextAfter: events.length > limit ? events[limit - 1]!.id : null,
    unread: await log.countUnread(projectId, unreadLimit),
  }
}
