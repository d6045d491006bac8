import { newSortableId } from '../base/ids.ts'
import type { EventData, EventType, ShownEvent } from '../contract/events.ts'

export type { EventData, EventType } from '../contract/events.ts'

/** Something that happened to a project. `at` is in epoch milliseconds. */
export type ProjectEvent = EventDraft & { readonly id: string }

/** An event that gets its id when it is written. */
export type EventDraft = { readonly [T in EventType]: DraftOf<T> }[EventType]

interface DraftOf<T extends EventType> {
  readonly type: T
  readonly at: number
  readonly projectId: string
  readonly data: EventData[T]
}

/** Sorts by the time of the event. */
export const newEventId = ({ at }: Pick<EventDraft, 'at'>): string => newSortableId('evt', at)

/** The event as people and programs see it. */
export const shownEvent = ({ id, type, at, projectId, data }: ProjectEvent): ShownEvent =>
  ({ id, type, at: new Date(at).toISOString(), projectId, data }) as ShownEvent
