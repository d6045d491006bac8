import type { EarlierMovement, MovementRecord } from '../ledger/movements.ts'
import { movementColumns, movementTables, sameReferenceOf } from './batch/rows.ts'
import type { Reader } from './engine.ts'

type MovementSlot = Pick<MovementRecord, 'projectId' | 'kind' | 'reference'>

const selectSame = sameReferenceOf({ projectId: '$1', kind: '$2', reference: '$3', referenceKey: '$4' })

/** Grants and withdrawals of operators; batches write them. */
export const movementReads = (tx: Reader) => ({
  movement: ({ projectId, kind, reference }: MovementSlot) =>
    tx.get<MovementRecord>(
      `SELECT ${movementColumns} FROM ${movementTables} WHERE m.project_id = $1 AND m.kind = $2 AND m.reference = $3`,
      [projectId, kind, reference],
    ),
  /** The last movement or pending approval of this kind with the same key, but for the one in this slot. */
  sameReference: ({ kind, referenceKey, projectId, reference }: MovementSlot & { readonly referenceKey: string }) =>
    tx.get<EarlierMovement>(selectSame, [projectId, kind, reference, referenceKey]),
})
