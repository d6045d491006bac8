import { strict as assert } from 'node:assert'
import type { Admit, Balance, ChargeRecord, Credit, End, EntryRecord, KeyState, OrderState, Track } from './commands.ts'

/** The rows a batch needs, loaded and locked by the store. The rules change these copies; the store saves the changes. */
export interface Books {
  readonly keys: Map<string, KeyState>
  readonly balances: Map<string, Balance>
  /** By charge id. */
  readonly charges: Map<string, ChargeRecord>
  /** The same objects by `idempotencySlot`. */
  readonly slots: Map<string, ChargeRecord>
  readonly orders: Map<string, OrderState>
  /** Orders that already have a credit lot. */
  readonly creditedOrders: Set<string>
  /** The first free entry id. Each command adds one entry at most; the store provides enough ids. */
  nextEntryId: number
}

/** What the store writes in one transaction. */
export interface Changes {
  readonly keys: Set<KeyState>
  readonly balances: Set<Balance>
  readonly reserved: Admit[]
  readonly tracked: Track[]
  readonly ended: { readonly command: End; readonly charge: ChargeRecord }[]
  readonly credited: { readonly command: Credit; readonly order: OrderState }[]
  readonly entries: EntryRecord[]
}

/** The key under which a project uses an Idempotency-Key. */
export const idempotencySlot = (projectId: string, digest: string): string => `${projectId} ${digest}`

/** Adds a ledger entry to the project's chain and advances its balance. */
export function addEntry(
  books: Books,
  changes: Changes,
  balance: Balance,
  entry: Pick<EntryRecord, 'kind' | 'amount' | 'chargeId' | 'lotId' | 'at'>,
): void {
  const previousId = balance.lastEntryId
  balance.entries += 1
  balance.lastEntryId = books.nextEntryId
  books.nextEntryId += 1
  assertBalanced(balance)
  changes.balances.add(balance)
  changes.entries.push({
    ...entry,
    entryId: balance.lastEntryId,
    previousId,
    projectId: balance.projectId,
    seq: balance.entries,
    available: balance.available,
    reserved: balance.reserved,
  })
}

/** Invariant I1, checked after every entry. */
function assertBalanced(balance: Balance): void {
  const { available, reserved, settled, credited } = balance
  assert(available >= 0 && reserved >= 0 && settled >= 0, 'a balance went below zero')
  assert(available + reserved + settled === credited, 'credits appeared or vanished')
  assert(Number.isSafeInteger(credited), 'credits exceed the safe integers')
}

export function balanceOf(books: Books, projectId: string): Balance {
  const balance = books.balances.get(projectId)
  assert(balance, 'a project has no balance')
  return balance
}
