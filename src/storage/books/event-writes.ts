import { type EventDraft, newEventId } from '../../events/event.ts'
import type { Balance } from '../../ledger/commands.ts'
import { bigint, text, write } from './table-write.ts'

/** The columns that a batch writes for events. */
export const eventWrites = {
  empty_change: write<Balance>('update', 'balances', 'project_id', {
    project_id: text((row) => row.projectId),
    empty_at: bigint((row) => row.emptyAt),
  }),
  event: write<EventDraft>('insert', 'events', 'event_id', {
    // Made here, because the rules are pure.
    event_id: text(newEventId),
    project_id: text((row) => row.projectId),
    type: text((row) => row.type),
    happened_at: bigint((row) => row.at),
    data: text((row) => JSON.stringify(row.data)),
  }),
} as const
