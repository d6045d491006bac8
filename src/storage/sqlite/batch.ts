import type { Command } from '../../ledger/commands.ts'
import { decide } from '../../ledger/rules.ts'
import { assignments, type Column, onConflict, type TableWrite } from '../batch/table-write.ts'
import { type BatchWriteName, batchWrites, writeChanges } from '../batch/writes.ts'
import type { Statements } from './connection.ts'
import type { AppliedBatch } from './protocol.ts'
import { loadBatchState, trimCache } from './row-cache.ts'

/** Runs one batch in the worker's transaction: loads the rows, applies the rules, saves the changes. */
export function applyBatch(db: Statements, commands: readonly Command[]): AppliedBatch {
  const state = loadBatchState(db, commands)
  const { results, changes } = decide(state, commands)
  writeChanges(changes, (name, rows) => {
    const { sql, columns } = statements[name]
    for (const row of rows) {
      db.put(
        sql,
        columns.map(({ from }) => from(row as never)),
      )
    }
  })
  trimCache(db, state, commands)
  return { results, hasEvents: changes.events.length > 0 }
}

/** Each write has its own row type; only `writeChanges` knows it. */
const writes = batchWrites as Record<BatchWriteName, TableWrite<never>>
const statements = Object.fromEntries(
  Object.entries(writes).map(([name, write]) => [name, { sql: sqlOf(write), columns: Object.values(write.columns) }]),
) as Record<BatchWriteName, { sql: string; columns: Column<never>[] }>

function sqlOf(write: TableWrite<never>): string {
  const names = Object.keys(write.columns)
  const placeholder = (name: string) => `$${names.indexOf(name) + 1}`
  if (write.kind === 'update') {
    const condition = write.key.map((name) => `${name} = ${placeholder(name)}`).join(' AND ')
    return `UPDATE ${write.table} SET ${assignments(write, placeholder, (name) => name)} WHERE ${condition}`
  }
  return `INSERT INTO ${write.table} (${names.join(', ')}) VALUES (${names.map(placeholder).join(', ')}) ${onConflict(write)}`
}

/**
 * A synchronous function that the worker runs in one transaction. Throwing rolls it back. Input and result must be
 * structured-cloneable.
 */
type Procedure<I, O> = (db: Statements, input: I) => O

export const procedures = { applyBatch } satisfies Procedures

export type Procedures = Readonly<Record<string, Procedure<never, unknown>>>
