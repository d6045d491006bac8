import { createCreditsReader, createIdentityStore } from '../features/accounts/store.ts'
import { createAlertStore } from '../features/alerts/store.ts'
import { createEventStore } from '../features/events/store.ts'
import { createKeyStore } from '../features/keys/store.ts'
import { createMediaStore } from '../features/media/store.ts'
import { createMessageStore } from '../features/messages/store.ts'
import { createOrderStore } from '../features/orders/store.ts'
import { inTurns } from '../features/reports/read-turns.ts'
import { createConsoleStore } from '../features/reports/store.ts'
import { createWebhookStore } from '../features/webhooks/store.ts'
import type { InstanceLease } from '../ledger/books.ts'
import { createSecretStore } from '../ops/secrets.ts'
import { createChargeStore } from '../relay/charge-store.ts'
import { createSnapshotStore, type SnapshotBounds } from '../relay/snapshot-store.ts'
import { createBooks } from '../storage/books.ts'
import type { OpenedEngine } from '../storage/open-store.ts'
import { createPostgresLease } from '../storage/postgres/lease.ts'
import { createReservedReader } from '../storage/postgres/reserved-charges.ts'
import type { Migration } from '../storage/schema/migrations.ts'
import { createSqliteLease } from '../storage/sqlite/book-store.ts'

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
    books: createBooks(engine, onEvents),
    lease: createLease(engine, instanceId, migrations),
    secrets: createSecretStore(engine),
    identity: createIdentityStore(engine, onEvents),
    keys: createKeyStore(engine, onEvents),
    events: createEventStore(engine),
    alerts: createAlertStore(engine),
    messages: createMessageStore(engine),
    webhooks: createWebhookStore(engine),
    orders: createOrderStore(engine),
    charges: createCharges(engine, clock),
    snapshots: createSnapshotStore({ engine, clock, bounds: snapshots }),
    mediaJobs: createMediaStore({ engine, instanceId }),
    creditsOf: createCreditsReader(engine),
    reports: inTurns(createConsoleStore(engine)),
  }
}

const createLease = (
  engine: OpenedEngine,
  instanceId: string,
  migrations: StoresOptions['migrations'],
): InstanceLease =>
  engine.kind === 'sqlite'
    ? createSqliteLease(instanceId)
    : createPostgresLease(engine, { instanceId, ...(migrations && { migrations }) })

const createCharges = (engine: OpenedEngine, clock: () => number) => ({
  ...createChargeStore(engine),
  ...(engine.kind === 'postgres' && { reserved: createReservedReader(engine, { clock }) }),
})
