import { eventDays } from '../../../contract/choices.ts'
import {
  EventPage,
  EventsRead,
  type EventType,
  eventExample,
  eventParameters,
  eventTypes,
  type ShownEvent,
} from '../../../contract/events.ts'
import { examples } from '../../../contract/examples.ts'
import { response } from '../../../contract/operation.ts'
import { view, write } from '../../../contract/operations/access.ts'

const exampleOf = (type: EventType) =>
  ({
    id: 'evt_0VVm9aB4002dC6vTy2Kf',
    type,
    at: '2026-10-01T08:30:00.000Z',
    projectId: examples.me.project.projectId,
    data: eventExample(type),
  }) as ShownEvent

const eventExamples: ShownEvent[] = eventTypes.map(exampleOf)

const page: EventPage = { items: eventExamples, nextAfter: null, unread: 1 }

export const eventOperations = [
  view({
    id: 'console.events.list',
    tag: 'Events',
    path: '/v1/console/events',
    summary: 'List what happened to the project',
    description: `Newest first. Events are kept for ${eventDays} days.`,
    queryParameters: eventParameters,
    response: response(200, 'A page of events.', EventPage, page),
  }),
  write({
    id: 'console.events.read',
    tag: 'Events',
    path: '/v1/console/events/read',
    summary: 'Mark all events as read',
    responses: [response(200, 'No event is unread.', EventsRead, { unread: 0 } satisfies EventsRead)],
  }),
]
