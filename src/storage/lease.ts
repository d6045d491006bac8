import type { InstanceLease } from '../ledger/instance-lease.ts'
import type { OpenedEngine } from './open-store.ts'
import { createSharedLease, type LeaseEngine } from './postgres/lease.ts'
import type { Migration } from './schema/migrations.ts'

/** The lease by which other instances know that this one is alive. */
export const createLease = (
  engine: OpenedEngine,
  instanceId: string,
  migrations?: readonly Migration[] | undefined,
): InstanceLease =>
  engine.isShared
    ? createSharedLease(engine as LeaseEngine, { instanceId, ...(migrations && { migrations }) })
    : createSqliteLease(instanceId)

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
