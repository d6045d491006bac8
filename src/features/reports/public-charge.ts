import { isoOf } from '../../base/time.ts'
import { fenOfCredits } from '../../contract/prices.ts'
import { reasonText } from '../../contract/reasons.ts'
import type { Charge, LedgerEntry, Receipt, Review } from './contract.ts'
import type { ChargeRow, EntryRow, ReceiptRows } from './ports.ts'

export function publicCharge(row: ChargeRow): Charge {
  return {
    chargeId: row.chargeId,
    operation: row.operation,
    credits: row.credits,
    state: row.state,
    keyId: row.keyId,
    keyDisplayPrefix: row.keyDisplayPrefix,
    requestId: row.requestId,
    reservedAt: isoOf(row.reservedAt),
    endedAt: row.endedAt === null ? null : isoOf(row.endedAt),
    reason: reasonOf(row.reason),
  }
}

export function publicReview(row: ChargeRow): Review {
  const { state: _, endedAt, ...shared } = publicCharge(row)
  return { ...shared, since: endedAt! }
}

export function publicReceipt({ charge, entries, decision }: ReceiptRows): Receipt {
  const enteredAt = (kind: EntryRow['kind']) => {
    const entry = entries.find((candidate) => candidate.kind === kind)
    return entry ? isoOf(entry.enteredAt) : null
  }
  return {
    ...publicCharge(charge),
    pricingVersion: charge.pricingVersion,
    amountFen: fenOfCredits(charge.credits),
    chargedCredits: charge.state === 'settled' ? charge.credits : 0,
    settledAt: enteredAt('settle'),
    releasedAt: enteredAt('release'),
    reviewedAt: enteredAt('review'),
    usage: charge.usage === null ? null : (JSON.parse(charge.usage) as Record<string, number>),
    entries: entries.map(publicEntry),
    decision: decision && {
      decision: decision.decision,
      reason: decision.reason,
      decidedAt: isoOf(decision.decidedAt),
    },
  }
}

export function publicEntry(row: EntryRow): LedgerEntry {
  return {
    seq: row.seq,
    kind: row.kind,
    amount: row.amount,
    available: row.available,
    reserved: row.reserved,
    chargeId: row.chargeId,
    operation: row.operation,
    creditLotId: row.creditLotId,
    orderId: row.orderId,
    reference: row.reference,
    enteredAt: isoOf(row.enteredAt),
  }
}

export function reasonOf(code: string | null): Charge['reason'] {
  return code === null ? null : { code, text: reasonText(code) }
}
