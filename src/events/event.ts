import type { EventData, EventType, ShownEvent } from '../contract/console/events.ts'
import { newSortableId } from '../contract/ids.ts'

export type { EventData, EventType } from '../contract/console/events.ts'

/** Something that happened to a project. `at` is in epoch milliseconds. */
export type ProjectEvent = EventDraft & { readonly id: string }

/** An event that gets its id when it is written. */
export type EventDraft = { readonly [T in EventType]: DraftOf<T> }[EventType]

export interface DraftOf<T extends EventType> {
  readonly type: T
  readonly at: number
  readonly projectId: string
  readonly data: EventData[T]
}

/** Sorts by the time of the event. */
export const newEventId = ({ at }: Pick<EventDraft, 'at'>): string => newSortableId('evt', at)

/** The event as people and webhooks see it. */
export const shownEvent = ({ id, type, at, projectId, data }: ProjectEvent): ShownEvent =>
  ({ id, type, at: new Date(at).toISOString(), projectId, data }) as ShownEvent
