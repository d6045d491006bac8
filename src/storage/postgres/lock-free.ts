import type { Command } from '../../ledger/commands.ts'
import { neededRows } from '../batch/rows.ts'
import { select } from './batch-statements.ts'
import type { PipelinedTransaction } from './pipelined-transaction.ts'

const selectFree = (table: string, id: string) => ({
  // Sorted like every lock.
  free: `SELECT ${id} AS id FROM ${table} WHERE ${id} = ANY($1::text[]) ORDER BY ${id} FOR UPDATE SKIP LOCKED`,
  all: `SELECT ${id} AS id FROM ${table} WHERE ${id} = ANY($1::text[])`,
})
const freeBalances = selectFree('balances', 'project_id')
const freeKeys = selectFree('api_keys', 'key_id')

/** Locks the balances and keys that are free. The result says whether a command needs one that is not. */
export async function lockFree(
  tx: PipelinedTransaction,
  commands: readonly Command[],
): Promise<(command: Command) => boolean> {
  const { projectIds, keyIds } = neededRows(commands)
  const found = (await tx.send([
    select(freeBalances.free, projectIds),
    select(freeKeys.free, keyIds),
    select(freeBalances.all, projectIds),
    select(freeKeys.all, keyIds),
  ])) as { id: string }[][]
  const [balances, keys, allBalances, allKeys] = found.map((rows) => new Set(rows.map(({ id }) => id)))
  const locked = allBalances!.difference(balances!).union(allKeys!.difference(keys!))
  return (command) => locked.has(command.projectId) || ('keyId' in command && locked.has(command.keyId))
}
