import { hostname } from 'node:os'
import { monotonicMs as clockMs } from '../../base/clock.ts'
import { after, delay, type Timer } from '../../base/timers.ts'
import type { InstanceLease, LeaseTiming } from '../../ledger/instance-lease.ts'
import type { Engine, Logger } from '../engine.ts'
import { migrations as allMigrations, type Migration } from '../schema/migrations.ts'
import {
  instanceSql,
  type LeaseRow,
  leaseLengthMs,
  MigrationRunning,
  refuseDuringMigration,
  renewLease,
} from './instance-rows.ts'

export const leaseTiming: LeaseTiming = { leaseMs: leaseLengthMs, renewMs: 5000 }

export interface LeaseOptions extends Partial<LeaseTiming> {
  readonly instanceId: string
  /** What this program knows of the schema. */
  readonly migrations?: readonly Migration[]
  /** A monotonic clock, which measures the age of the lease. */
  readonly monotonicMs?: () => number
}

export interface SharedLease extends InstanceLease {
  /** Renews the lease now; `start` renews it periodically. */
  renew(): Promise<void>
}

/** A store that several gateways share. */
export interface LeaseEngine extends Engine {
  readonly kind: 'sqlite' | 'postgres'
  readonly logger: Logger
  withOwnPool(options: LeasePool): Engine
}

interface LeasePool {
  readonly connections: number
  readonly waitLimitMs: number
  readonly statementLimitMs: number
  readonly lockLimitMs: number
}

/** A lease in the database, timed by the database's clock, so that the instances' clocks need not agree. */
export function createSharedLease(engine: LeaseEngine, options: LeaseOptions): SharedLease {
  const { instanceId, leaseMs, renewMs, monotonicMs = clockMs } = { ...leaseTiming, ...options }
  const { migrations = allMigrations } = options
  const rows = openLeaseRows(engine, { instanceId, leaseMs, process: `${hostname()} pid ${process.pid}`, migrations })
  let heldUntil = Number.NEGATIVE_INFINITY
  /** Since when it has been held without a gap. */
  let heldSince = Number.POSITIVE_INFINITY
  let isStopped = false
  let timer: Timer | undefined
  let renewal: Promise<void> | undefined

  const isHeld = () => monotonicMs() < heldUntil

  async function renew(write = rows.renew) {
    // Measured from before the request, so that our lease never outlasts the one in the database.
    const sentAt = monotonicMs()
    await write()
    if (sentAt >= heldUntil) heldSince = sentAt
    heldUntil = sentAt + leaseMs
  }

  function scheduleRenewal(waitMs: number) {
    if (isStopped) return
    timer = after(waitMs, () => {
      renewal = renew().then(
        () => scheduleRenewal(renewMs),
        (error) => {
          engine.logger.warn({ err: error, isHeld: isHeld() }, 'the lease was not renewed')
          // Soon, because others recover our charges once they have held their own lease for a period.
          scheduleRenewal(Math.min(renewMs, retryMs))
        },
      )
    })
    timer.unref()
  }

  return {
    instanceId,
    isHeld,
    canRecoverOthers: () => isHeld() && monotonicMs() >= heldSince + leaseMs,
    renew: () => renew(),
    start: async () => {
      await rows.deleteOld()
      await afterMigration(() => renew(rows.claim))
      scheduleRenewal(renewMs)
    },
    stop: async () => {
      if (isStopped) return
      isStopped = true
      timer?.cancel()
      await renewal
      heldUntil = Number.NEGATIVE_INFINITY
      await rows.release()
    },
    liveInstances: rows.liveInstances,
  }
}

const retryMs = 1000

/** On its own connection, so that a busy pool cannot delay a renewal; with short limits, so that a stuck one cannot either. */
function openLeaseRows(engine: LeaseEngine, row: LeaseRow) {
  const sql = instanceSql(engine.kind)
  const limitMs = Math.floor(row.leaseMs / 3)
  const limits = { waitLimitMs: limitMs, statementLimitMs: limitMs, lockLimitMs: limitMs }
  const own = engine.withOwnPool({ connections: 1, ...limits })
  return {
    /** The first renewal. No migration runs at the same time, so either sees the other. */
    claim: () =>
      own.write(async (tx) => {
        if (engine.kind === 'postgres') await refuseDuringMigration(tx)
        await renewLease(tx, row, sql.renew)
      }),
    renew: () => own.write((tx) => renewLease(tx, row, sql.renew)),
    /** Gives up the lease and its connection. */
    release: async () => {
      await own
        .write((tx) => tx.run('DELETE FROM instances WHERE instance_id = $1', [row.instanceId]))
        .catch((error) => engine.logger.warn({ err: error }, 'the lease was not released; it will expire'))
      await own.close()
    },
    deleteOld: () => own.write((tx) => tx.run(sql.deleteOld)),
    liveInstances: async () => {
      const rows = await own.read((tx) => tx.all<{ instanceId: string }>(sql.selectLive))
      return rows.map(({ instanceId }) => instanceId)
    },
  }
}

const migrationPollMs = 250
const maxMigrationPolls = 240

/** Waits up to a minute for a migration that is running. */
async function afterMigration(work: () => Promise<void>): Promise<void> {
  for (let polls = 1; ; polls += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof MigrationRunning) || polls === maxMigrationPolls) throw error
      await delay(migrationPollMs)
    }
  }
}
