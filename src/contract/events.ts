import { type Static, type TObject, type TProperties, type TUnsafe, Type } from 'typebox'
import { budgetPeriods } from './budget-periods.ts'
import { unreadLimit } from './choices.ts'
import { Choice, chargeIdPattern, closed, DateTime, jobIdPattern, Nullable, named } from './field.ts'
import { pageLimit, pageParameters } from './paging.ts'
import { chargedOperations } from './prices.ts'
import { orderIdPattern } from './schemas/account.ts'
import { keyIdPattern } from './schemas/keys.ts'

// Apart from the schemas, because the thread of the embedded store needs these numbers and must start fast.

const eventIdPattern = '^evt_[A-Za-z0-9]+$'
const Credits = (description: string) => Type.Integer({ minimum: 0, description })
const available = Credits('Available credits after it.')
const orderId = Type.String({ pattern: orderIdPattern })
const keyId = Type.String({ pattern: keyIdPattern })
const displayPrefix = Type.String({ minLength: 1, description: 'The beginning and the end of the key.' })
const key = { keyId, displayPrefix }
const charge = {
  chargeId: Type.String({ pattern: chargeIdPattern }),
  operation: Choice(chargedOperations),
  credits: Credits('The price of the call.'),
}
const moved = (description: string) => ({ credits: Credits(description), available })

/** The types of events and what each one tells. Small facts only: no secrets and no personal data. */
const eventFacts = {
  'order.credited': { orderId, ...moved('Credits of the order.') },
  'credits.granted': moved('Credits that an operator added.'),
  'credits.withdrawn': moved('Credits that an operator took back.'),
  'credits.low': { available, lowBalanceCredits: Credits('The threshold that the available credits fell below.') },
  'credits.empty': { available, credits: Credits('The price of the call that was refused.') },
  'key.created': key,
  'key.rotated': { ...key, rotatedFromKeyId: keyId, oldKeyExpiresAt: DateTime() },
  'key.revoked': { ...key, by: Choice(['owner', 'operator']) },
  'key.expiring': { ...key, expiresAt: DateTime(), daysLeft: Type.Integer({ minimum: 1, maximum: 7 }) },
  'key.budget_reached': {
    keyId,
    credits: Credits('The budget of the key.'),
    per: Choice(budgetPeriods),
    resetsAt: Nullable(DateTime()),
  },
  'charge.review_opened': charge,
  'charge.review_decided': { ...charge, decision: Choice(['settled', 'released']) },
  'media.job_finished': {
    jobId: Type.String({ pattern: jobIdPattern }),
    chargeId: charge.chargeId,
    status: Choice(['completed', 'failed', 'cancelled', 'unknown']),
    errorCode: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
  },
  'account.signed_in': {
    isNewNetwork: Type.Boolean({ description: 'Whether the account was never used from there before.' }),
  },
  'account.password_changed': { by: Choice(['password', 'recovery']) },
} as const satisfies Record<string, TProperties>

export type EventType = keyof typeof eventFacts
export type EventData = { readonly [T in EventType]: Static<TObject<(typeof eventFacts)[T]>> }

export const eventTypes = Object.keys(eventFacts) as EventType[]

const shapes = eventTypes.map((type) =>
  named(titleOf(type), {
    id: Type.String({ pattern: eventIdPattern }),
    type: Type.Literal(type),
    at: DateTime(),
    projectId: Type.String({ minLength: 1 }),
    data: closed(eventFacts[type]),
  }),
)

/** `order.credited` is OrderCreditedEvent. */
function titleOf(type: EventType): string {
  const words = type.split(/[._]/).map((word) => word[0]!.toUpperCase() + word.slice(1))
  return `${words.join('')}Event`
}

export const EventPage = named('EventPage', {
  // Which data goes with which type is lost by the mapping above.
  items: Type.Array(Type.Union(shapes) as unknown as TUnsafe<ShownEvent>, { maxItems: pageLimit.maximum }),
  nextCursor: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
    description: 'Send it as `after` for the next page; null when there is none.',
  }),
  unread: Type.Integer({
    minimum: 0,
    maximum: unreadLimit,
    description: `Events since the list was last marked as read; ${unreadLimit} means that many or more.`,
  }),
})

export const EventsRead = named('EventsRead', { unread: Type.Integer({ minimum: 0, maximum: 0 }) })

const { cursor, limit } = pageParameters(eventIdPattern)
export const eventParameters = { after: cursor, limit }

/** An event as the console and webhooks show it. */
export type ShownEvent = {
  readonly [T in EventType]: {
    readonly id: string
    readonly type: T
    readonly at: string
    readonly projectId: string
    readonly data: EventData[T]
  }
}[EventType]
export type EventPage = Static<typeof EventPage>
export type EventsRead = Static<typeof EventsRead>
export interface EventParameters {
  readonly after?: string
  readonly limit: number
}
