import { addAudit, addEntry, type Books, balanceOf, type Changes, creditsAdded, creditsTaken } from './books.ts'
import type { Hold, HoldResult, Unhold, UnholdResult } from './payments.ts'

/** Holds the credits of a refund; a repeat finds them held. */
export function hold(books: Books, changes: Changes, command: Hold): HoldResult {
  const { refundId, projectId, lotId, credits, at } = command
  const refund = books.refunds.get(refundId)
  if (refund?.state !== 'waiting') return { kind: 'held' }
  const balance = balanceOf(books, projectId)
  if (balance.available < credits) return { kind: 'refused', code: 'INSUFFICIENT_CREDITS' }
  const before = { available: balance.available, reserved: balance.reserved }
  balance.available -= credits
  balance.reserved += credits
  refund.state = 'held'
  addEntry(books, changes, balance, { kind: 'reserve', amount: credits, chargeId: null, lotId, at })
  changes.held.push({ command, entryId: balance.lastEntryId! })
  creditsTaken(changes, balance, { credits, at })
  const after = { available: balance.available, reserved: balance.reserved, credits, refundId }
  addAudit(books, changes, { ...command.note, at, before, after })
  return { kind: 'held' }
}

/** Ends a refund once: by withdrawing its held credits, or by returning them. */
export function unhold(books: Books, changes: Changes, command: Unhold): UnholdResult {
  const { refundId, projectId, to, at } = command
  const refund = books.refunds.get(refundId)
  if (!refund || !isHolding(refund.state)) return { kind: 'already' }
  const { credits, lotId } = refund
  const balance = balanceOf(books, projectId)
  balance.reserved -= credits
  if (to === 'refunded') balance.credited -= credits
  else balance.available += credits
  refund.state = to
  const kind = to === 'refunded' ? 'withdraw' : 'release'
  addEntry(books, changes, balance, { kind, amount: credits, chargeId: null, lotId, at })
  changes.unheld.push({ command, entryId: balance.lastEntryId! })
  if (to === 'returned') creditsAdded(changes, balance)
  else {
    const data = { credits, available: balance.available }
    changes.events.push({ type: 'credits.withdrawn', at, projectId, data })
  }
  return { kind: 'ended' }
}

const isHolding = (state: string) => state === 'held' || state === 'pending' || state === 'review'
