import type { InstanceLease, LeaseTiming } from '../ledger/instance-lease.ts'
import type { OpenedEngine } from './open-store.ts'
import { createSharedLease, type LeaseEngine } from './postgres/lease.ts'
import type { Migration } from './schema/migrations.ts'
import { createSqliteLease } from './sqlite/sqlite-engine.ts'

/** The lease by which other instances know that this one is alive. */
export const createLease = (
  engine: OpenedEngine,
  instanceId: string,
  options: { readonly migrations?: readonly Migration[]; readonly lease?: LeaseTiming } = {},
): InstanceLease =>
  engine.isShared
    ? createSharedLease(engine as LeaseEngine, {
        instanceId,
        ...options.lease,
        ...(options.migrations && { migrations: options.migrations }),
      })
    : createSqliteLease(instanceId)
