import { type Static, type TObject, type TUnsafe, Type } from '../base/schema.ts'
import { unreadLimit } from './choices.ts'
import { eventRows } from './event-types.ts'
import { Choice, closed, DateTime, named } from './field.ts'
import { pageLimit, pageParameters } from './paging.ts'

export const eventIdPattern = '^evt_[A-Za-z0-9]+$'

export type EventType = keyof typeof eventRows
export type EventData = { readonly [T in EventType]: Static<TObject<(typeof eventRows)[T]['data']>> }

export const eventTypes = Object.keys(eventRows) as EventType[]

/** An event of this type, for the documents and the tests. */
export const eventExample = <T extends EventType>(type: T): EventData[T] => eventRows[type].example as EventData[T]

/** An event of each type. */
export const eventShapes = eventTypes.map((type) =>
  named(titleOf(type), {
    id: Type.String({ pattern: eventIdPattern }),
    type: Type.Literal(type),
    at: DateTime(),
    projectId: Type.String({ minLength: 1 }),
    data: closed(eventRows[type].data),
  }),
)

/** `order.credited` is OrderCreditedEvent. */
function titleOf(type: EventType): string {
  const words = type.split(/[._]/).map((word) => word[0]!.toUpperCase() + word.slice(1))
  return `${words.join('')}Event`
}

export const EventPage = named('EventPage', {
  // Which data goes with which type is lost by the mapping above.
  items: Type.Array(Type.Union(eventShapes) as unknown as TUnsafe<ShownEvent>, { maxItems: pageLimit.maximum }),
  nextAfter: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
    description: 'Send it as `after` for the next page; null when there is none.',
  }),
  unread: Type.Integer({
    minimum: 0,
    maximum: unreadLimit,
    description: `Events since the list was last marked as read; ${unreadLimit} means that many or more.`,
  }),
})

export const EventsRead = named('EventsRead', { unread: Type.Integer({ minimum: 0, maximum: 0 }) })

const { after, limit } = pageParameters(eventIdPattern)
export const eventParameters = {
  after,
  limit,
  type: Choice(eventTypes, { description: 'Only events of this type.' }),
}

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
  readonly type?: EventType
  readonly limit: number
}
