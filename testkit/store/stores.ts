import { createPaymentStore } from '../../src/features/billing/payments/store/store.ts'
import { createMediaStore } from '../../src/features/calls/media/store.ts'
import { createAccountStore, createCreditsReader } from '../../src/features/identity/accounts/store.ts'
import { createKeyStore } from '../../src/features/identity/keys/store.ts'
import { createMessageStore } from '../../src/features/identity/messages/store.ts'
import { createEventStore } from '../../src/features/notifications/events/store.ts'
import { inTurns } from '../../src/features/records/reports/read-turns.ts'
import { createConsoleStore } from '../../src/features/records/reports/store.ts'
import { createSecretStore } from '../../src/ops/secrets.ts'
import { createCharges, createSnapshotStore, type SnapshotBounds } from '../../src/relay/charge-store.ts'
import { createBatchStore } from '../../src/storage/batch-store.ts'
import { createLease } from '../../src/storage/lease.ts'
import type { OpenedEngine } from '../../src/storage/open-store.ts'
import type { Migration } from '../../src/storage/schema/migrations.ts'

export interface StoresOptions {
  readonly engine: OpenedEngine
  readonly instanceId: string
  readonly clock: () => number
  readonly snapshots: SnapshotBounds
  /** Called after a commit that wrote events. */
  readonly onEvents?: () => void
  /** What the program knows of the schema; replaced in tests. */
  readonly migrations?: readonly Migration[] | undefined
}

/** All stores of the gateway, on the opened engine. */
export function createStores({ engine, instanceId, clock, snapshots, onEvents = () => {}, migrations }: StoresOptions) {
  return {
    batches: createBatchStore(engine, onEvents),
    lease: createLease(engine, instanceId, migrations && { migrations }),
    secrets: createSecretStore(engine),
    identity: createAccountStore(engine, onEvents),
    keys: createKeyStore(engine, onEvents),
    events: createEventStore(engine),
    messages: createMessageStore(engine),
    payments: createPaymentStore(engine),
    charges: createCharges(engine, clock),
    snapshots: createSnapshotStore({ engine, clock, bounds: snapshots }),
    mediaJobs: createMediaStore({ engine, instanceId }),
    creditsOf: createCreditsReader(engine),
    reports: inTurns(createConsoleStore(engine), { isBusy: () => false }),
  }
}
