import type { Operation } from '../operation.ts'
import { errorsOf } from '../operations/access.ts'
import { EmptyRequest } from '../schemas/envelope.ts'
import { eventExamples } from './event-examples.ts'
import { eventDays } from './event-limits.ts'
import { EventPage, EventsRead, eventParameters } from './events.ts'
import { view } from './view.ts'

const page: EventPage = { items: eventExamples, nextCursor: null, unread: 1 }

/** What happened to a project, as its payer sees it. */
export const eventOperations: Operation[] = [
  view({
    id: 'console.events.list',
    tag: 'Events',
    path: '/v1/console/events',
    summary: 'List what happened to the project',
    description: `Newest first. Events are kept for ${eventDays} days.`,
    queryParameters: eventParameters,
    answer: {
      status: 200,
      description: 'A page of events.',
      contentType: 'application/json',
      schema: EventPage,
      example: page,
    },
  }),
  {
    id: 'console.events.read',
    tag: 'Events',
    method: 'POST',
    path: '/v1/console/events/read',
    access: 'session-write',
    takesIdempotencyKey: false,
    summary: 'Mark all events as read',
    request: EmptyRequest(),
    requestExample: {},
    responses: [
      {
        status: 200,
        description: 'No event is unread.',
        contentType: 'application/json',
        schema: EventsRead,
        example: { unread: 0 } satisfies EventsRead,
      },
    ],
    errors: errorsOf('session-write'),
  },
]
