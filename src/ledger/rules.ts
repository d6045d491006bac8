import { includesAddress, maskAddress } from '../base/addresses.ts'
import { latestWindowEnd, minuteMs, windowEnd } from '../base/time.ts'
import { unreachable } from '../base/unreachable.ts'
import { orderMinutes } from '../contract/choices.ts'
import type { ErrorCode } from '../contract/errors.ts'
import {
  addAudit,
  addEntry,
  type BatchState,
  balanceOf,
  type Changes,
  chargeEnded,
  creditsAdded,
  creditsMissing,
  creditsTaken,
  idempotencySlot,
} from './batch-state.ts'
import { openBudget, returnToBudget, takeFromBudget } from './budgets.ts'
import type {
  Admit,
  AdmitResult,
  BudgetState,
  ChargeRecord,
  Command,
  CommandResult,
  Credit,
  CreditResult,
  End,
  EndResult,
  KeyState,
  Refuse,
  RefuseResult,
  Track,
  TrackResult,
  Use,
} from './commands.ts'
import { move } from './move.ts'
import { hold, unhold } from './refunds.ts'

export interface Decision {
  readonly results: CommandResult[]
  readonly changes: Changes
}

/**
 * All accounting rules: applies each command of a batch to its state, in order. Pure: no clock, no randomness, no I/O.
 * Refusals are values; a broken invariant is a bug and throws.
 */
export function decide(state: BatchState, commands: readonly Command[]): Decision {
  const changes = noChanges()
  const results = commands.map((command): CommandResult => {
    switch (command.type) {
      case 'admit':
        return admit(state, changes, command)
      case 'use':
        return useKey(state, changes, command) ?? { kind: 'used' }
      case 'refuse':
        return useKey(state, changes, command) ?? refused(command.fault)
      case 'track':
        return track(state, changes, command)
      case 'end':
        return end(state, changes, command)
      case 'credit':
        return credit(state, changes, command)
      case 'hold':
        return hold(state, changes, command)
      case 'unhold':
        return unhold(state, changes, command)
      case 'grant':
      case 'withdraw':
        return move(state, changes, command)
      default:
        return unreachable(command)
    }
  })
  return { results, changes }
}

const noChanges = (): Changes => ({
  keys: new Set(),
  budgets: new Set(),
  balances: new Set(),
  emptyChanged: new Set(),
  reserved: [],
  tracked: [],
  ended: [],
  credited: [],
  entries: [],
  moved: [],
  held: [],
  unheld: [],
  audited: [],
  events: [],
})

/** Checks the key, scope, rate limit, Idempotency-Key, balance and budget in the order of the contract, then reserves the price. */
function admit(state: BatchState, changes: Changes, command: Admit): AdmitResult {
  const refusal = useKey(state, changes, command)
  if (refusal) return refusal

  const slot = idempotencySlot(command.projectId, command.idempotencyDigest)
  const earlier = state.slots.get(slot)
  if (earlier) return replay(earlier, command)
  // Its response is long gone, as if it had been pruned.
  if (state.archivedSlots.has(slot)) return refused('IDEMPOTENCY_CONFLICT')

  const key = state.keys.get(command.keyId)!
  const balance = balanceOf(state, command.projectId)
  if (balance.available < command.credits) {
    creditsMissing(changes, balance, command)
    const remaining = key.showsBalance ? balance.available : null
    return { ...refused('INSUFFICIENT_PAID_CREDITS'), limit: { source: 'credits', remaining, resetsAt: null } }
  }
  const budget = openBudget(state, changes, key, command.at)
  const overBudget = budget && takeFromBudget(changes, budget, command)
  if (overBudget) return overBudget

  const charge = newCharge(command, budget)
  state.charges.set(charge.chargeId, charge)
  state.slots.set(slot, charge)
  balance.available -= charge.credits
  balance.reserved += charge.credits
  key.calls += 1
  key.lastUsedAt = command.at
  key.lastUsedFrom = maskAddress(command.address)
  changes.reserved.push({ command, charge })
  addEntry(state, changes, balance, {
    kind: 'reserve',
    amount: charge.credits,
    chargeId: charge.chargeId,
    lotId: null,
    at: command.at,
  })
  creditsTaken(changes, balance, command)
  return key.logsContent ? { kind: 'reserved', logsContent: true } : { kind: 'reserved' }
}

const newCharge = (command: Admit, budget: BudgetState | null): ChargeRecord => ({
  chargeId: command.chargeId,
  projectId: command.projectId,
  operation: command.operation,
  credits: command.credits,
  fingerprint: command.fingerprint,
  isolationVersion: command.isolationVersion,
  budgetId: budget?.budgetId ?? null,
  budgetPeriod: budget?.periodFrom ?? null,
  idempotencyDigest: command.idempotencyDigest,
  state: 'reserved',
  response: null,
})

/** Counts the call against the key's rate limit. Returns a refusal if the key may not be used, otherwise null. */
function useKey(state: BatchState, changes: Changes, command: Admit | Use | Refuse): RefuseResult | null {
  const key = state.keys.get(command.keyId)
  const keyError = keyErrorOf(key, command)
  if (keyError || !key) return refused(keyError ?? 'UNAUTHORIZED')
  if (key.allowed && !includesAddress(key.allowed, command.address)) {
    return { ...refused('FORBIDDEN'), because: 'address' }
  }

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

function keyErrorOf(key: KeyState | undefined, command: Admit | Use | Refuse): ErrorCode | null {
  if (!key || key.projectId !== command.projectId || key.blockedAt !== null) return 'UNAUTHORIZED'
  if (key.expiresAt !== null && key.expiresAt <= command.at) return 'KEY_EXPIRED'
  return command.type === 'use' || key.scopes.includes(command.scope) ? null : 'FORBIDDEN'
}

function replay(earlier: ChargeRecord, command: Admit): AdmitResult {
  const isSame =
    earlier.operation === command.operation &&
    earlier.fingerprint === command.fingerprint &&
    earlier.isolationVersion === command.isolationVersion
  if (!isSame) return refused('IDEMPOTENCY_CONFLICT')
  if (earlier.state === 'reserved') return { kind: 'under_way', chargeId: earlier.chargeId }
  // A pruned response cannot be replayed, and its Idempotency-Key must not be charged again.
  return earlier.response
    ? { kind: 'replay', response: earlier.response, chargeId: earlier.chargeId }
    : refused('IDEMPOTENCY_CONFLICT')
}

/** The job ends with its charge, so a charge that is not reserved has no job to change. */
function track(state: BatchState, changes: Changes, command: Track): TrackResult {
  const charge = state.charges.get(command.chargeId)
  if (!charge) return { kind: 'unknown' }
  if (charge.state !== 'reserved') return { kind: 'already' }
  changes.tracked.push(command)
  return { kind: 'tracked' }
}

/** Moves the reserved credits: settling spends them, releasing returns them, a review keeps them reserved. */
function end(state: BatchState, changes: Changes, command: End): EndResult {
  const charge = state.charges.get(command.chargeId)
  if (!charge) return { kind: 'unknown' }
  if (charge.state !== command.from) return { kind: 'already', state: charge.state, response: charge.response }

  const balance = balanceOf(state, charge.projectId)
  if (command.to !== 'manual_review') balance.reserved -= charge.credits
  if (command.to === 'settled') balance.settled += charge.credits
  if (command.to === 'released') {
    balance.available += charge.credits
    returnToBudget(state, changes, charge)
  }

  charge.state = command.to
  charge.response = command.response
  if (command.response === null && charge.idempotencyDigest !== null) {
    state.slots.delete(idempotencySlot(charge.projectId, charge.idempotencyDigest))
    charge.idempotencyDigest = null
  }
  changes.ended.push({ command, charge })
  addEntry(state, changes, balance, {
    kind: entryKinds[command.to],
    amount: charge.credits,
    chargeId: charge.chargeId,
    lotId: null,
    at: command.at,
  })
  chargeEnded(changes, command, charge)
  if (command.decision) {
    addAudit(state, changes, {
      ...command.decision,
      at: command.at,
      before: { state: command.from, credits: charge.credits },
      after: { state: command.to, credits: charge.credits },
    })
  }
  return { kind: 'ended' }
}

const entryKinds = { settled: 'settle', released: 'release', manual_review: 'review' } as const

function credit(state: BatchState, changes: Changes, command: Credit): CreditResult {
  const order = state.orders.get(command.orderId)
  if (!order || order.projectId !== command.projectId) return { kind: 'refused', code: 'ORDER_NOT_FOUND' }
  if (changes.credited.some((other) => other.order === order))
    return { kind: 'refused', code: 'ORDER_CONFIRM_CONFLICT' }
  // A payment is credited however late it is.
  const isExpired = command.payment === undefined && command.at >= order.createdAt + orderMinutes * minuteMs
  const isOther = command.payment !== undefined && command.payment.credits !== order.creditAmount
  const { reviewedTransaction = null } = order
  const isUndecided = reviewedTransaction !== null && reviewedTransaction !== command.payment?.transactionId
  if (order.state !== 'pending' || isExpired || isOther || isUndecided)
    return { kind: 'refused', code: 'ORDER_NOT_PAYABLE' }
  if (state.creditedOrders.has(order.orderId)) return { kind: 'refused', code: 'ORDER_CREDIT_CONFLICT' }

  const balance = balanceOf(state, order.projectId)
  order.state = 'credited'
  order.creditedAt = command.at
  balance.available += order.creditAmount
  balance.credited += order.creditAmount
  changes.credited.push({ command, order })
  addEntry(state, changes, balance, {
    kind: 'credit',
    amount: order.creditAmount,
    chargeId: null,
    lotId: command.lotId,
    at: command.at,
  })
  creditsAdded(changes, balance)
  const data = { orderId: order.orderId, credits: order.creditAmount, available: balance.available }
  changes.events.push({ type: 'order.credited', at: command.at, projectId: order.projectId, data })
  if (command.payment?.isLate) {
    const late = { paymentId: command.payment.paymentId, ...data }
    changes.events.push({ type: 'payment.credited_late', at: command.at, projectId: order.projectId, data: late })
  }
  return { kind: 'credited', order, lotId: command.lotId }
}

const refused = (code: ErrorCode): RefuseResult => ({ kind: 'refused', code })
