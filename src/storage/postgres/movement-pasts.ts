import { isMovement } from '../../ledger/books.ts'
import type { Command, EarlierMovement } from '../../ledger/commands.ts'
import { type LoadedRows, type MovedSums, pastOf, pastValues } from '../books/book-rows.ts'
import type { Statement } from './pipelined-transaction.ts'

/** One for each movement of a batch, in its order. */
export type MovementPastRow = MovedSums & { readonly [Column in keyof EarlierMovement]: EarlierMovement[Column] | null }

const { sums, sameReference } = pastOf({
  projectId: 'n.project_id',
  kind: 'n.kind',
  reference: 'n.reference',
  referenceKey: 'n.reference_key',
  by: 'n.moved_by',
  since: 'n.since',
})

const sql = `SELECT ${sums}, s.*
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[]) WITH ORDINALITY
    AS n (project_id, kind, reference, reference_key, moved_by, since, place)
  LEFT JOIN LATERAL (${sameReference}) s ON true ORDER BY n.place`

/**
 * What each movement is compared with; null if there is none. Sent after the lock on the audit log, as a statement of its own,
 * so that it sees what others committed before.
 */
export function selectPasts(commands: readonly Command[]): Statement | null {
  const rows = commands.filter(isMovement).map(pastValues)
  const columnOf = (index: number) => rows.map((row) => String(row[index]))
  return rows.length === 0 ? null : { sql, params: [0, 1, 2, 3, 4, 5].map(columnOf) }
}

export const pastsIn = (commands: readonly Command[], rows: readonly MovementPastRow[]): LoadedRows['pasts'] =>
  commands.filter(isMovement).map((command, index) => {
    const { byOperator, inProject, ...same } = rows[index]!
    // Without an earlier one, all of its columns are null.
    return {
      command,
      sums: { byOperator, inProject },
      same: same.projectId === null ? undefined : (same as EarlierMovement),
    }
  })
