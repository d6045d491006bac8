import { strict as assert } from 'node:assert'
import type { ErrorCode } from '../contract/errors.ts'
import { latestWindowEnd, windowEnd } from '../contract/rate-window.ts'
import type {
  Admit,
  AdmitResult,
  Balance,
  ChargeRecord,
  Command,
  CommandResult,
  Credit,
  CreditResult,
  End,
  EndResult,
  EntryRecord,
  KeyState,
  OrderState,
  Refuse,
  RefuseResult,
} from './commands.ts'

/** What a batch needs to know, loaded and locked by the store. The rules change these copies; the store saves what changed. */
export interface Books {
  readonly keys: Map<string, KeyState>
  readonly balances: Map<string, Balance>
  /** By charge id, and the same objects by `idempotencySlot`. */
  readonly charges: Map<string, ChargeRecord>
  readonly slots: Map<string, ChargeRecord>
  readonly orders: Map<string, OrderState>
  /** Orders that already have a credit lot. */
  readonly creditedOrders: Set<string>
  /** The first id that no entry has; the store has as many for this batch as it has commands. */
  nextEntryId: number
}

/** What the store must write, all of it or nothing. */
export interface Changes {
  readonly keys: Set<KeyState>
  readonly balances: Set<Balance>
  readonly reserved: Admit[]
  readonly ended: { readonly command: End; readonly charge: ChargeRecord }[]
  readonly credited: { readonly command: Credit; readonly order: OrderState }[]
  readonly entries: EntryRecord[]
}

export interface Decision {
  readonly results: CommandResult[]
  readonly changes: Changes
}

export const idempotencySlot = (projectId: string, digest: string): string => `${projectId} ${digest}`

/**
 * The whole law of the books: what each command of a batch does, in order, given what the store loaded.
 * Pure: no clock, no randomness, no I/O. Refusals are values; a broken invariant is a bug and throws.
 */
export function decide(books: Books, commands: readonly Command[]): Decision {
  const changes: Changes = { keys: new Set(), balances: new Set(), reserved: [], ended: [], credited: [], entries: [] }
  const results = commands.map((command): CommandResult => {
    switch (command.type) {
      case 'admit':
        return admit(books, changes, command)
      case 'refuse':
        return refuseUse(books, changes, command) ?? refused(command.fault)
      case 'end':
        return end(books, changes, command)
      case 'credit':
        return credit(books, changes, command)
      default:
        return unreachable(command)
    }
  })
  return { results, changes }
}

/** Key, scope, limit, replay, credits: the order in which a caller is told what is wrong. */
function admit(books: Books, changes: Changes, command: Admit): AdmitResult {
  const noUse = refuseUse(books, changes, command)
  if (noUse) return noUse

  const slot = idempotencySlot(command.projectId, command.idempotencyDigest)
  const earlier = books.slots.get(slot)
  if (earlier) return replay(earlier, command)

  const balance = balanceOf(books, command.projectId)
  if (balance.available < command.credits) return refused('INSUFFICIENT_PAID_CREDITS')

  const charge: ChargeRecord = {
    chargeId: command.chargeId,
    projectId: command.projectId,
    operation: command.operation,
    credits: command.credits,
    fingerprint: command.fingerprint,
    isolationVersion: command.isolationVersion,
    idempotencyDigest: command.idempotencyDigest,
    state: 'reserved',
    response: null,
  }
  books.charges.set(charge.chargeId, charge)
  books.slots.set(slot, charge)
  balance.available -= charge.credits
  balance.reserved += charge.credits
  const key = books.keys.get(command.keyId)!
  key.calls += 1
  key.lastUsedAt = command.at
  changes.reserved.push(command)
  enter(books, changes, balance, {
    kind: 'reserve',
    amount: charge.credits,
    chargeId: charge.chargeId,
    lotId: null,
    at: command.at,
  })
  return { kind: 'reserved' }
}

/** Judges the key and counts the call against its limit; null when it may be used. */
function refuseUse(books: Books, changes: Changes, command: Admit | Refuse): RefuseResult | null {
  const key = books.keys.get(command.keyId)
  const noAccess = refuseKey(key, command)
  if (noAccess || !key) return refused(noAccess ?? 'UNAUTHORIZED')

  const { at, limit } = command
  if (at >= key.windowEndsAt || key.windowEndsAt > latestWindowEnd(at, limit.windowMs)) {
    key.windowEndsAt = windowEnd(at, limit.windowMs)
    key.windowUsed = 0
  }
  if (key.windowUsed >= limit.max) {
    return { ...refused('RATE_LIMITED'), retryAfterSeconds: Math.ceil((key.windowEndsAt - at) / 1000) }
  }
  key.windowUsed += 1
  changes.keys.add(key)
  return null
}

function refuseKey(key: KeyState | undefined, command: Admit | Refuse): ErrorCode | null {
  if (!key || key.projectId !== command.projectId || key.revokedAt !== null) return 'UNAUTHORIZED'
  if (key.expiresAt !== null && key.expiresAt <= command.at) return 'KEY_EXPIRED'
  return key.scopes.includes(command.scope) ? null : 'FORBIDDEN'
}

function replay(earlier: ChargeRecord, command: Admit): AdmitResult {
  const isSame =
    earlier.operation === command.operation &&
    earlier.fingerprint === command.fingerprint &&
    earlier.isolationVersion === command.isolationVersion
  if (!isSame) return refused('IDEMPOTENCY_CONFLICT')
  if (earlier.state === 'reserved') return { kind: 'under_way', chargeId: earlier.chargeId }
  // A pruned answer cannot be replayed, and its key must never charge again.
  return earlier.response ? { kind: 'replay', response: earlier.response } : refused('IDEMPOTENCY_CONFLICT')
}

function end(books: Books, changes: Changes, command: End): EndResult {
  const charge = books.charges.get(command.chargeId)
  if (!charge) return { kind: 'unknown' }
  if (charge.state !== command.from) return { kind: 'already', state: charge.state, response: charge.response }

  const balance = balanceOf(books, charge.projectId)
  if (command.to !== 'manual_review') balance.reserved -= charge.credits
  if (command.to === 'settled') balance.settled += charge.credits
  if (command.to === 'released') balance.available += charge.credits

  charge.state = command.to
  charge.response = command.response
  if (command.response === null && charge.idempotencyDigest !== null) {
    books.slots.delete(idempotencySlot(charge.projectId, charge.idempotencyDigest))
    charge.idempotencyDigest = null
  }
  changes.ended.push({ command, charge })
  enter(books, changes, balance, {
    kind: entryOf[command.to],
    amount: charge.credits,
    chargeId: charge.chargeId,
    lotId: null,
    at: command.at,
  })
  return { kind: 'ended' }
}

const entryOf = { settled: 'settle', released: 'release', manual_review: 'review' } as const

function credit(books: Books, changes: Changes, command: Credit): CreditResult {
  const order = books.orders.get(command.orderId)
  if (!order || order.projectId !== command.projectId) return { kind: 'refused', code: 'ORDER_NOT_FOUND' }
  if (changes.credited.some((won) => won.order === order)) return { kind: 'refused', code: 'ORDER_CONFIRM_CONFLICT' }
  if (order.state !== 'pending') return { kind: 'refused', code: 'ORDER_NOT_PAYABLE' }
  if (books.creditedOrders.has(order.orderId)) return { kind: 'refused', code: 'ORDER_CREDIT_CONFLICT' }

  const balance = balanceOf(books, order.projectId)
  order.state = 'credited'
  order.creditedAt = command.at
  balance.available += order.creditAmount
  balance.credited += order.creditAmount
  changes.credited.push({ command, order })
  enter(books, changes, balance, {
    kind: 'credit',
    amount: order.creditAmount,
    chargeId: null,
    lotId: command.lotId,
    at: command.at,
  })
  return { kind: 'credited', order, lotId: command.lotId }
}

function enter(
  books: Books,
  changes: Changes,
  balance: Balance,
  entry: Pick<EntryRecord, 'kind' | 'amount' | 'chargeId' | 'lotId' | 'at'>,
): void {
  const previousId = balance.lastEntryId
  balance.entries += 1
  balance.lastEntryId = books.nextEntryId
  books.nextEntryId += 1
  assertSound(balance)
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

/** I1, after every single movement. */
function assertSound(balance: Balance): void {
  const { available, reserved, settled, credited } = balance
  assert(available >= 0 && reserved >= 0 && settled >= 0, 'a balance went below zero')
  assert(available + reserved + settled === credited, 'credits appeared or vanished')
  assert(Number.isSafeInteger(credited), 'credits are no longer exact')
}

function balanceOf(books: Books, projectId: string): Balance {
  const balance = books.balances.get(projectId)
  assert(balance, 'every project has a balance')
  return balance
}

const refused = (code: ErrorCode): RefuseResult => ({ kind: 'refused', code })

function unreachable(command: never): never {
  throw new Error(`unknown command ${JSON.stringify(command)}`)
}
