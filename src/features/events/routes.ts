import type { EventParameters, EventsRead } from '../../contract/events.ts'
import { endpoint, ok, type ViewDeps, view } from '../../http/endpoint.ts'
import type { Route } from '../../http/route.ts'
import { type EventLog, eventPage } from './ports.ts'

export interface EventRouteDeps extends ViewDeps {
  readonly eventLog: EventLog
}

/** What happened to a project, and whether its payer has seen it. */
export function eventRoutes(deps: EventRouteDeps): Route[] {
  const { operation, guards, eventLog } = deps
  return [
    view<EventParameters>(deps, 'console.events.list', async ({ session, query }) =>
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
