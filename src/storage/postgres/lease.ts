import type { InstanceLease } from '../../relay/ports.ts'
import type { PostgresEngine } from './postgres-engine.ts'

export interface LeaseOptions {
  readonly instanceId: string
  readonly leaseMs?: number
  readonly renewMs?: number
  /** A monotonic clock, which measures the age of the lease. */
  readonly monotonicMs?: () => number
}

export interface PostgresLease extends InstanceLease {
  /** Renews the lease now; `start` renews it periodically. */
  renew(): Promise<void>
}

/** A lease in the database, timed by the database's clock, so that the instances' clocks need not agree. */
export function createPostgresLease(engine: PostgresEngine, options: LeaseOptions): PostgresLease {
  const { instanceId, leaseMs = 15_000, renewMs = 5000, monotonicMs = () => performance.now() } = options
  const rows = openLeaseRows(engine, instanceId, leaseMs)
  let heldUntil = Number.NEGATIVE_INFINITY
  /** Since when it has been held without a gap. */
  let heldSince = Number.POSITIVE_INFINITY
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let renewal: Promise<void> | undefined

  const isHeld = () => monotonicMs() < heldUntil

  async function renew() {
    // Measured from before the request, so that our lease never outlasts the one in the database.
    const sentAt = monotonicMs()
    await rows.renew()
    if (sentAt >= heldUntil) heldSince = sentAt
    heldUntil = sentAt + leaseMs
  }

  function scheduleRenewal(waitMs: number) {
    if (isStopped) return
    timer = setTimeout(() => {
      renewal = renew().then(
        () => scheduleRenewal(renewMs),
        (error) => {
          engine.logger.warn({ err: error, isHeld: isHeld() }, 'the lease was not renewed')
          // Soon, because others recover our charges once they have held their own lease for a period.
          scheduleRenewal(Math.min(renewMs, retryMs))
        },
      )
    }, waitMs)
    timer.unref()
  }

  return {
    instanceId,
    isHeld,
    canRecoverOthers: () => isHeld() && monotonicMs() >= heldSince + leaseMs,
    renew,
    start: async () => {
      await rows.deleteOld()
      await renew()
      scheduleRenewal(renewMs)
    },
    stop: async () => {
      if (isStopped) return
      isStopped = true
      clearTimeout(timer)
      await renewal
      heldUntil = Number.NEGATIVE_INFINITY
      await rows
        .release()
        .catch((error) => engine.logger.warn({ err: error }, 'the lease was not released; it will expire'))
      await rows.close()
    },
    liveInstances: rows.liveInstances,
  }
}

const retryMs = 1000

/** On its own connection, so that a busy pool cannot delay a renewal; with short limits, so that a stuck one cannot either. */
function openLeaseRows(engine: PostgresEngine, instanceId: string, leaseMs: number) {
  const limitMs = Math.floor(leaseMs / 3)
  const limits = { waitLimitMs: limitMs, statementLimitMs: limitMs, lockLimitMs: limitMs }
  const own = engine.withOwnPool({ connections: 1, ...limits })
  return {
    renew: () => own.write((tx) => tx.run(renewLease, [instanceId, leaseMs])),
    release: () => own.write((tx) => tx.run('DELETE FROM instances WHERE instance_id = $1', [instanceId])),
    /** An instance without a row counts as dead, so expired rows are not needed. */
    deleteOld: () => own.write((tx) => tx.run(deleteOld)),
    liveInstances: async () => {
      const rows = await own.read((tx) => tx.all<{ id: string }>(selectLive))
      return rows.map(({ id }) => id)
    },
    close: () => own.close(),
  }
}

const databaseMs = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

const renewLease = `
  INSERT INTO instances (instance_id, started_at, lease_until) VALUES ($1, ${databaseMs}, ${databaseMs} + $2::bigint)
  ON CONFLICT (instance_id) DO UPDATE SET lease_until = excluded.lease_until`

const selectLive = `SELECT instance_id AS id FROM instances WHERE lease_until > ${databaseMs}`

const deleteOld = `DELETE FROM instances WHERE lease_until < ${databaseMs} - 86400000`
