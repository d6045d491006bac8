import { FifoBatchQueue } from '../../ledger/batch-queue.ts'
import type { Command } from '../../ledger/commands.ts'
import type { InstanceLease } from '../../ledger/instance-lease.ts'
import type { BatchStore } from '../../ledger/ledger.ts'
import type { Logger } from '../engine.ts'
import { deadline, type Engine, type Reader, type ScriptStatement, type Writer } from '../engine.ts'
import { lockInstance, tryLock } from '../file-lock.ts'
import { transact } from '../transaction.ts'
import type { Procedures, procedures as registered } from './batch.ts'
import { logSizes } from './checkpoints.ts'
import type { AppliedBatch, LogSizes } from './protocol.ts'
import { refuseDamagedLog } from './store-files.ts'
import { type LinkOptions, WorkerLink } from './worker-link.ts'

export interface SqliteOptions {
  readonly file: string
  /** True for a gateway, which must be the only one. False for the command line, which may run at the same time. */
  readonly exclusive: boolean
  readonly logger: Logger
  /** How long a transaction may stay open. */
  readonly transactionLimitMs?: number
  /** How long a transaction may wait for a connection. */
  readonly waitLimitMs?: number
  readonly maxWaiting?: number
  /** How long the worker waits for another process's write. It does nothing else while it waits. */
  readonly busyTimeoutMs?: number
  /** How long the worker may take to respond. */
  readonly responseLimitMs?: number
  readonly checkLimitMs?: number
  readonly restartDelaysMs?: readonly number[]
  readonly logSizes?: LogSizes
  /** By default only for a gateway. */
  readonly hasCheckpointer?: boolean
  /** Module whose `procedures` the worker runs. */
  readonly procedures?: URL
}

export async function openSqlite<P extends Procedures = typeof registered>(
  options: SqliteOptions,
): Promise<SqliteEngine<P>> {
  const lock = options.exclusive ? lockInstance(options.file) : undefined
  let isFirst: boolean
  try {
    // A gateway that runs has read its log already, and goes on writing to it.
    isFirst = lock !== undefined || isUnused(options.file)
    if (isFirst) refuseDamagedLog(options.file, options.logger)
  } catch (error) {
    lock?.release()
    throw error
  }
  const linkOptions: LinkOptions = {
    logger: options.logger,
    restartDelaysMs: options.restartDelaysMs ?? [20, 100, 500, 2000, 5000],
    // Longer than `waitLimitMs`.
    responseLimitMs: options.responseLimitMs ?? 60_000,
    // The waiting writes, and about as many statements of open transactions.
    maxPending: 2 * (options.maxWaiting ?? 10_000),
    worker: {
      file: options.file,
      procedures: (options.procedures ?? new URL('./batch.ts', import.meta.url)).href,
      logSizes: options.logSizes ?? logSizes,
      hasCheckpointer: options.hasCheckpointer ?? options.exclusive,
      isFirst,
      busyTimeoutMs: options.busyTimeoutMs ?? 2000,
      transactionLimitMs: options.transactionLimitMs ?? 30_000,
      waitLimitMs: options.waitLimitMs ?? 30_000,
      maxWaiting: options.maxWaiting ?? 10_000,
    },
  }
  const link = new WorkerLink(linkOptions)
  try {
    await link.start()
  } catch (error) {
    await link.close()
    lock?.release()
    throw error
  }
  return new SqliteEngine<P>(link, {
    createReadLink: () =>
      new WorkerLink({
        ...linkOptions,
        worker: { ...linkOptions.worker, procedures: null, ...(link.identity && { identity: link.identity }) },
      }),
    unlock: () => lock?.release(),
    checkLimitMs: options.checkLimitMs ?? 5000,
  })
}

function isUnused(file: string): boolean {
  const lock = tryLock(file)
  lock?.release()
  return lock !== null
}

/** A store on SQLite, independent of who runs it. */
export interface EmbeddedEngine extends Engine {
  readonly kind: 'sqlite'
  readonly isShared: boolean
  /** Applies a batch of ledger commands as one transaction. */
  call(name: 'applyBatch', commands: readonly Command[]): Promise<AppliedBatch>
  backup(path: string): Promise<void>
}

interface SqliteEngineOptions {
  readonly createReadLink: () => WorkerLink
  readonly unlock: () => void
  readonly checkLimitMs: number
}

/** A store that few calls use needs no second thread. */
const callsForReadThread = 100

export class SqliteEngine<P extends Procedures = typeof registered> implements Engine {
  readonly kind = 'sqlite'
  /** The file belongs to one gateway. */
  readonly isShared = false
  readonly #link: WorkerLink
  readonly #options: SqliteEngineOptions
  /** Reads in a thread of their own, so that they do not delay commits; undefined until there are enough of these. */
  #reads: WorkerLink | undefined
  #calls = 0
  readonly #checks = new Map<boolean, Promise<void>>()
  #isClosed = false

  constructor(link: WorkerLink, options: SqliteEngineOptions) {
    this.#link = link
    this.#options = options
  }

  read<T>(work: (tx: Reader) => Promise<T>): Promise<T> {
    return this.#transaction('read', work)
  }

  write<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    return this.#transaction('write', work)
  }

  /** Runs a registered procedure in the worker as one write transaction. */
  call<N extends keyof P & string>(name: N, input: Parameters<P[N]>[1]): Promise<ReturnType<P[N]>> {
    this.#calls += 1
    if (this.#calls === callsForReadThread) this.#startReads()
    return this.#link.request({ kind: 'call', procedure: name, input }) as Promise<ReturnType<P[N]>>
  }

  script(statements: readonly ScriptStatement[]): Promise<boolean> {
    return this.#link.request({ kind: 'script', statements }) as Promise<boolean>
  }

  /** Concurrent checks share one, because each is a write to the disk. */
  check({ needsRoom } = { needsRoom: false }): Promise<void> {
    const underWay = this.#checks.get(needsRoom)
    if (underWay) return underWay
    const check = this.#checkOnce(needsRoom).finally(() => this.#checks.delete(needsRoom))
    this.#checks.set(needsRoom, check)
    return check
  }

  /** Copies the store to a new file, as of one moment, while it is in use. */
  async backup(path: string): Promise<void> {
    await this.#link.request({ kind: 'backup', path })
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await Promise.all([this.#link.close(), this.#reads?.close()])
    this.#options.unlock()
  }

  #startReads(): void {
    if (this.#isClosed) return
    this.#reads = this.#options.createReadLink()
    // Until it is ready, and if it cannot start, reads run between the commits.
    this.#reads.start().catch(() => {})
  }

  async #checkOnce(needsRoom: boolean): Promise<void> {
    const { expired, stop } = deadline(this.#options.checkLimitMs, 'the SQLite worker does not respond')
    try {
      await Promise.race([this.#link.request({ kind: 'check', needsRoom }), expired])
    } finally {
      stop()
    }
  }

  async #transaction<T>(mode: 'read' | 'write', work: (tx: Writer) => Promise<T>): Promise<T> {
    const link = mode === 'read' && this.#reads?.isReady ? this.#reads : this.#link
    const { tx, lost, forget } = link.openTransaction()
    let hasBegun = false
    const end = async (kind: 'commit' | 'rollback') => {
      // No statement was sent, so no transaction is open.
      if (!hasBegun) return
      if (mode === 'read') link.notify({ kind: 'end', tx })
      else await link.request({ kind, tx })
    }
    try {
      return await transact(work, {
        lost,
        execute: (method, sql, params) => {
          const begin = hasBegun ? undefined : mode
          hasBegun = true
          return link.request({ kind: 'statement', tx, method, sql, params, ...(begin && { begin }) })
        },
        commit: () => end('commit'),
        rollback: () => end('rollback').catch(() => {}),
      })
    } finally {
      forget()
    }
  }
}

/** Each batch is one message to the worker and one back. `onEvents` is called after a commit that wrote events. */
export const createSqliteBatchStore = (
  engine: EmbeddedEngine,
  onEvents: () => void,
): Pick<BatchStore, 'apply' | 'createQueue'> => ({
  apply: async (commands) => {
    const { results, hasEvents } = await engine.call('applyBatch', commands)
    if (hasEvents) onEvents()
    return results
  },
  // The worker runs one batch at a time. A few queued batches keep both threads busy.
  createQueue: () => new FifoBatchQueue({ fullBatch: 32, maxConcurrentBatches: 4 }),
})

/** The instance lock serves as the lease: while this process runs, every other instance is dead. */
export function createSqliteLease(instanceId: string): InstanceLease {
  let isHeld = false
  return {
    instanceId,
    start: async () => {
      isHeld = true
    },
    stop: async () => {
      isHeld = false
    },
    isHeld: () => isHeld,
    canRecoverOthers: () => true,
    liveInstances: async () => [instanceId],
  }
}
