import type { InstanceLease } from '../../relay/ports.ts'
import type { PostgresEngine } from './postgres-engine.ts'

export interface LeaseOptions {
  readonly instanceId: string
  readonly leaseMs?: number
  readonly renewMs?: number
  /** A clock that never jumps; it says how old the lease is, and nothing else. */
  readonly monotonicMs?: () => number
}

export interface PostgresLease extends InstanceLease {
  /** Prolongs the lease now; `start` has it done at intervals. */
  renew(): Promise<void>
}

/** A lease in the database, measured by the database's clock, so that the clocks of the instances need not agree. */
export function createPostgresLease(engine: PostgresEngine, options: LeaseOptions): PostgresLease {
  const { instanceId, leaseMs = 15_000, renewMs = 5000, monotonicMs = () => performance.now() } = options
  // A connection of its own: a busy pool must not cost the lease, nor a renewal that hangs the next one.
  const limitMs = Math.floor(leaseMs / 3)
  const own = engine.beside({ connections: 1, waitLimitMs: limitMs, statementLimitMs: limitMs, lockLimitMs: limitMs })
  let heldUntil = Number.NEGATIVE_INFINITY
  let regainedAt = Number.NEGATIVE_INFINITY
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let renewal: Promise<void> | undefined

  const isHeld = () => monotonicMs() < heldUntil

  async function renew() {
    // Counted from before the question: the database's count starts later, so it never ends earlier than ours.
    const askedAt = monotonicMs()
    await own.write((tx) => tx.run(prolong, [instanceId, leaseMs]))
    const hadRunOut = heldUntil !== Number.NEGATIVE_INFINITY && askedAt >= heldUntil
    if (hadRunOut) regainedAt = askedAt
    heldUntil = askedAt + leaseMs
  }

  function schedule() {
    if (isStopped) return
    timer = setTimeout(() => {
      renewal = renew()
        .catch((error) => own.logger.warn({ err: error, isHeld: isHeld() }, 'the lease was not renewed'))
        .finally(schedule)
    }, renewMs)
    timer.unref()
  }

  return {
    instanceId,
    isHeld,
    canRecoverOthers: () => isHeld() && monotonicMs() >= regainedAt + leaseMs,
    renew,
    start: async () => {
      await own.write((tx) => tx.run(forgetOld))
      await renew()
      schedule()
    },
    stop: async () => {
      if (isStopped) return
      isStopped = true
      clearTimeout(timer)
      await renewal
      heldUntil = Number.NEGATIVE_INFINITY
      await own
        .write((tx) => tx.run('DELETE FROM instances WHERE instance_id = $1', [instanceId]))
        .catch((error) => own.logger.warn({ err: error }, 'the lease was not given up; it runs out by itself'))
      await own.close()
    },
    liveInstances: async () => {
      const rows = await own.read((tx) => tx.all<{ id: string }>(selectLive))
      return rows.map(({ id }) => id)
    },
  }
}

const databaseMs = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

const prolong = `
  INSERT INTO instances (instance_id, started_at, lease_until) VALUES ($1, ${databaseMs}, ${databaseMs} + $2::bigint)
  ON CONFLICT (instance_id) DO UPDATE SET lease_until = excluded.lease_until`

const selectLive = `SELECT instance_id AS id FROM instances WHERE lease_until > ${databaseMs}`

/** A day after its end nobody needs to see a lease any more; an instance without one counts as dead all the same. */
const forgetOld = `DELETE FROM instances WHERE lease_until < ${databaseMs} - 86400000`
