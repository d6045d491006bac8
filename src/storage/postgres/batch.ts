import { strict as assert } from 'node:assert'
import { largestBatch } from '../../ledger/batch-queue.ts'
import type { Command, CommandResult } from '../../ledger/commands.ts'
import type { BatchStore } from '../../ledger/ledger.ts'
import { decide } from '../../ledger/rules.ts'
import { toBatchState } from '../batch/rows.ts'
import { UniqueViolation } from '../engine.ts'
import { statementsOf } from './batch-statements.ts'
import { isLockTimeout, isStale } from './faults.ts'
import { allocatedIn, allocateEntryIds, loadBatch, refuseArchived } from './load-batch.ts'
import { lockFree } from './lock-free.ts'
import type { PipelinedTransaction } from './pipelined-transaction.ts'
import type { PostgresEngine } from './postgres-engine.ts'
import { isVerified, type OptimisticBatch, RowCache } from './row-cache.ts'
import { maxLockedUnderWay, SortedBatchQueue } from './sorted-batch-queue.ts'
/**
 * Commits a batch in one round trip if its rows are cached and unchanged, otherwise in two: lock and load, then save and
 * commit. The number of statements does not grow with the number of commands.
 */
export function createPostgresBatchStore(
  engine: PostgresEngine,
  /** Called after a commit that wrote events. */
  onEvents: () => void = () => {},
): Omit<BatchStore, 'isUnavailable'> {
  const cache = new RowCache()
  engine.server.onChange(() => cache.forget())
  const applyOnce = createApply({ engine, cache, onEvents })
  return {
    createQueue: () => new SortedBatchQueue({ fullBatch: 32 }),
    faultOf: (command) => (hasNul(command) ? new TypeError('PostgreSQL cannot store U+0000') : null),
    async apply(commands) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await applyOnce(commands)
        } catch (error) {
          if (!isLockTimeout(error) || attempt === lockAttempts) throw error
        }
      }
    },
    // Locks are rare and short, so it waits for them a moment; only a longer one costs more round trips.
    async applyUnlocked(commands) {
      try {
        return await applyOnce(commands)
      } catch (error) {
        if (!isLockTimeout(error)) throw error
        return cache.during(commands, () => applySkipping({ engine, cache, onEvents }, commands))
      }
    },
  }
}

interface BatchContext {
  readonly engine: PostgresEngine
  readonly cache: RowCache
  readonly onEvents: () => void
}

/** Optimistic if the rows are cached, otherwise loaded. */
const createApply =
  (context: BatchContext) =>
  (commands: readonly Command[]): Promise<CommandResult[]> => {
    assert(commands.length <= largestBatch, 'a batch has more commands than it has entry ids')
    const { engine, cache } = context
    const batch = cache.optimistic(commands)
    return cache.during(
      commands,
      async () =>
        (batch && (await applyOptimistic(context, commands, batch))) ??
        (await engine.pipelined((tx) => loadAndCommit(context, tx, commands))),
    )
  }

async function loadAndCommit(
  { cache, onEvents }: BatchContext,
  tx: PipelinedTransaction,
  commands: readonly Command[],
): Promise<CommandResult[]> {
  const { generation } = cache
  const state = toBatchState(await loadBatch(tx, commands))
  const { results, changes } = decide(state, commands)
  const rows = await tx.commit([...statementsOf(changes, null), allocateEntryIds])
  if (generation === cache.generation) cache.store(state, changes, allocatedIn(rows))
  if (changes.events.length > 0) onEvents()
  return results
}

/** Locks the rows that are free and runs only their commands. */
const applySkipping = (context: BatchContext, commands: readonly Command[]) =>
  context.engine.pipelined(async (tx) => {
    const isLocked = await lockFree(tx, commands)
    const free = commands.filter((command) => !isLocked(command))
    const results = await loadAndCommit(context, tx, free)
    return commands.map((command) => (isLocked(command) ? null : results.shift()!))
  })

/** Null if the batch must be loaded after all. */
async function applyOptimistic(
  { engine, cache, onEvents }: BatchContext,
  commands: readonly Command[],
  { state, expected }: OptimisticBatch,
): Promise<CommandResult[] | null> {
  const { generation } = cache
  const { results, changes } = decide(state, commands)
  if (!results.every(isVerified)) return null
  try {
    const rows = await engine.pipelined(async (tx) => {
      // The connection just opened may lead to another server.
      if (generation !== cache.generation) return null
      const check = refuseArchived(changes.reserved.map(({ command }) => command))
      return tx.commit([...statementsOf(changes, expected), ...(check ? [check] : []), allocateEntryIds])
    })
    if (rows === null) return null
    cache.store(state, changes, allocatedIn(rows))
    cache.succeeded()
    if (changes.events.length > 0) onEvents()
    return results
  } catch (error) {
    if (!isStale(error) && !(error instanceof UniqueViolation)) throw error
    cache.failed()
    return null
  }
}

/**
 * Limits of batches. A lock that is held longer sets its project apart; a gateway that stalls in the middle of a batch
 * loses its locks. The server's limit of a statement does not end a commit's wait for a lost standby, the pool's does, 5
 * seconds later: with 5 seconds in the queue, a call gets its response within 15. The pool has a connection for each batch that can be
 * in progress.
 */
export const batchLimits = {
  connections: maxLockedUnderWay + 2,
  lockLimitMs: 100,
  idleLimitMs: 2500,
  statementLimitMs: 5000,
  prefersIndexes: true,
} as const

/** Snapshots are left out: the providers' contract has no U+0000. */
function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  // Every command of every call comes here: a list of its entries would take four times as long.
  for (const name in value) {
    if (name !== 'snapshots' && hasNul((value as Readonly<Record<string, unknown>>)[name])) return true
  }
  return false
}

/** Five seconds in all. */
const lockAttempts = 50
