import { eventDays } from '../../contract/choices.ts'
import {
  type EventData,
  EventPage,
  EventsRead,
  type EventType,
  eventParameters,
  eventTypes,
  type ShownEvent,
} from '../../contract/events.ts'
import { examples } from '../../contract/examples.ts'
import { answer } from '../../contract/operation.ts'
import { view, write } from '../../contract/operations/access.ts'

const key = { keyId: 'key_3fQ7sJ8wMa2P', displayPrefix: 'gk_live_Ab3x...9TzK' }
const charge = { chargeId: 'chg_0VVm8xQ2001aK4tRw9Zb', operation: 'model.chat', credits: 3 } as const

const data: EventData = {
  'order.credited': { orderId: 'ord_9kD4nV6tHs1B', credits: 200, available: 200 },
  'credits.granted': { credits: 500, available: 700 },
  'credits.withdrawn': { credits: 100, available: 600 },
  'credits.low': { available: 95, lowBalanceCredits: 100 },
  'credits.empty': { available: 2, credits: 3 },
  'key.created': key,
  'key.rotated': { ...key, rotatedFromKeyId: 'key_0VVm9aB4002dC6vTy2Kf', oldKeyExpiresAt: '2026-10-02T08:30:00.000Z' },
  'key.revoked': { ...key, by: 'owner' },
  'key.expiring': { ...key, expiresAt: '2026-10-08T08:30:00.000Z', daysLeft: 7 },
  'key.budget_reached': { keyId: key.keyId, credits: 300, per: 'day', resetsAt: '2026-10-02T00:00:00.000Z' },
  'charge.review_opened': charge,
  'charge.review_decided': { ...charge, decision: 'released' },
  'media.job_finished': {
    jobId: 'job_01JQ8ZK4T7N2',
    chargeId: 'chg_0VVm8yT7003cB5uSx1Jd',
    status: 'completed',
    errorCode: null,
  },
  'account.signed_in': { isNewNetwork: true },
  'account.password_changed': { by: 'recovery' },
}

const exampleOf = (type: EventType) =>
  ({
    id: 'evt_0VVm9aB4002dC6vTy2Kf',
    type,
    at: '2026-10-01T08:30:00.000Z',
    projectId: examples.me.project.projectId,
    data: data[type],
  }) as ShownEvent

const eventExamples: ShownEvent[] = eventTypes.map(exampleOf)

const page: EventPage = { items: eventExamples, nextCursor: null, unread: 1 }

/** What happened to a project, as its payer sees it. */
export const eventOperations = [
  view({
    id: 'console.events.list',
    tag: 'Events',
    path: '/v1/console/events',
    summary: 'List what happened to the project',
    description: `Newest first. Events are kept for ${eventDays} days.`,
    queryParameters: eventParameters,
    answer: answer(200, 'A page of events.', EventPage, page),
  }),
  write({
    id: 'console.events.read',
    tag: 'Events',
    path: '/v1/console/events/read',
    summary: 'Mark all events as read',
    answers: [answer(200, 'No event is unread.', EventsRead, { unread: 0 } satisfies EventsRead)],
  }),
]
