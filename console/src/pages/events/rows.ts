import { eventRows as rows } from '../../../../src/contract/event-types.ts'
import type { EventType } from '../../../../src/contract/events.ts'
import type { Tone } from '../../design/notice.tsx'

interface ShownRow {
  readonly group: (typeof rows)[EventType]['shown']['group']
  readonly page: string
  readonly tone?: Tone
  /** The field that decides which sentence is shown. */
  readonly by?: string
}

// Evaluated at build time (build/evaluated.ts): the bundle has these few facts, not the table.
export const eventRows = Object.fromEntries(
  Object.entries(rows).map(([type, { shown, detail }]) => [
    type,
    { ...shown, ...('by' in detail && { by: detail.by }) },
  ]),
) as Readonly<Record<EventType, ShownRow>>
