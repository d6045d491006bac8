import { type EventDraft, newEventId } from '../../ledger/events.ts'
import { bigint, text, write } from './table-write.ts'

export const eventWrites = {
  event: write<EventDraft>('insert', 'events', 'event_id', {
    // Made here, because the rules are pure.
    event_id: text(newEventId),
    project_id: text((row) => row.projectId),
    type: text((row) => row.type),
    happened_at: bigint((row) => row.at),
    data: text((row) => JSON.stringify(row.data)),
  }),
} as const
