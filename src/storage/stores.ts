import type { BookStore } from '../ledger/ledger.ts'
import type { Presence } from '../relay/ports.ts'
import { StoreUnavailable } from './engine.ts'
import type { openStore } from './open-store.ts'
import { createPostgresBooks } from './postgres/books.ts'
import { createPostgresPresence } from './postgres/presence.ts'
import { createConsoleStore } from './reports/console-store.ts'
import { createSqliteBooks } from './sqlite/book-store.ts'
import { createSqlitePresence } from './sqlite/presence.ts'
import { createCreditsReader } from './stores/balance-store.ts'
import { createChargeStore } from './stores/charge-store.ts'
import { createIdentityStore } from './stores/identity-store.ts'
import { createKeyStore } from './stores/key-store.ts'
import { createOrderStore } from './stores/order-store.ts'
import { createSnapshotStore, type SnapshotBounds } from './stores/snapshot-store.ts'

type OpenedEngine = Awaited<ReturnType<typeof openStore>>

export interface StoresOptions {
  readonly engine: OpenedEngine
  readonly instanceId: string
  readonly clock: () => number
  readonly snapshots: SnapshotBounds
}

/** Everything the rooms ask of storage, on whichever engine was opened. */
export function createStores({ engine, instanceId, clock, snapshots }: StoresOptions) {
  return {
    books: createBooks(engine),
    presence: createPresence(engine, instanceId),
    identity: createIdentityStore(engine),
    keys: createKeyStore(engine),
    orders: createOrderStore(engine),
    charges: createChargeStore(engine),
    snapshots: createSnapshotStore({ engine, clock, bounds: snapshots }),
    creditsOf: createCreditsReader(engine),
    reports: createConsoleStore(engine),
  }
}

/** The books alone, for a program that is no instance of the gateway. */
export const createBooks = (engine: OpenedEngine): BookStore => ({
  ...(engine.kind === 'sqlite' ? createSqliteBooks(engine) : createPostgresBooks(engine)),
  isUnavailable: (error) => error instanceof StoreUnavailable,
})

const createPresence = (engine: OpenedEngine, instanceId: string): Presence =>
  engine.kind === 'sqlite' ? createSqlitePresence(instanceId) : createPostgresPresence(engine, { instanceId })
