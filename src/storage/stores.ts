import type { BookStore } from '../ledger/ledger.ts'
import type { InstanceLease } from '../relay/ports.ts'
import { inTurns } from '../reporting/read-turns.ts'
import { StoreUnavailable } from './engine.ts'
import type { OpenedEngine } from './open-store.ts'
import { bookLimits, createPostgresBooks } from './postgres/books.ts'
import { isLockTimeout } from './postgres/faults.ts'
import { createPostgresLease } from './postgres/lease.ts'
import { createReservedReader } from './postgres/reserved-charges.ts'
import { createConsoleStore } from './reports/console-store.ts'
import type { Migration } from './schema/migration.ts'
import { createSqliteBooks } from './sqlite/book-store.ts'
import { createSqliteLease } from './sqlite/lease.ts'
import { createAlertStore } from './stores/alert-store.ts'
import { createCreditsReader } from './stores/balance-store.ts'
import { createChargeStore } from './stores/charge-store.ts'
import { createEventStore } from './stores/event-store.ts'
import { createIdentityStore } from './stores/identity-store.ts'
import { createKeyStore } from './stores/key-store.ts'
import { createMediaStore } from './stores/media-store.ts'
import { createMessageStore } from './stores/message-store.ts'
import { createOrderStore } from './stores/order-store.ts'
import { createSecretStore } from './stores/secret-store.ts'
import { createSnapshotStore, type SnapshotBounds } from './stores/snapshot-store.ts'
import { createWebhookStore } from './stores/webhook-store.ts'

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

/** Only the books, for programs that are not a gateway instance. */
export const createBooks = (engine: OpenedEngine, onEvents = () => {}): BookStore => ({
  // With connections of their own, which logins and console reads cannot use up.
  ...(engine.kind === 'sqlite'
    ? createSqliteBooks(engine, onEvents)
    : createPostgresBooks(engine.withOwnPool(bookLimits), onEvents)),
  // After a lock timeout the batch is committed in parts, so that only the locked part fails.
  isUnavailable: (error) => error instanceof StoreUnavailable && !isLockTimeout(error),
})

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
