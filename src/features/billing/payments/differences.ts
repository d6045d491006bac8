import { hash } from 'node:crypto'
import { isoOf } from '../../../base/time.ts'

export const differenceKinds = [
  'not_here',
  'not_there',
  'amount_differs',
  'currency_differs',
  'paid_twice',
  'refund_not_here',
  'refund_not_there',
  'refund_differs',
] as const

export interface PaymentDifference {
  readonly kind: (typeof differenceKinds)[number]
  readonly paymentId: string | null
  readonly transactionId: string | null
  readonly amountFenHere: number | null
  readonly amountFenThere: number | null
  readonly outcome: 'credited' | 'review' | 'open'
  readonly settled?: Settlement
}

/** An operator has looked into a difference, and nothing is left to do. */
export interface Settlement {
  readonly by: string
  readonly at: number
  readonly reason: string
}

/** Stable across comparisons, unless the difference changes. */
export function differenceId(difference: PaymentDifference): string {
  const { kind, paymentId, transactionId, amountFenHere, amountFenThere } = difference
  const facts = JSON.stringify([kind, paymentId, transactionId, amountFenHere, amountFenThere])
  return `dif_${hash('sha256', facts).slice(0, 20)}`
}

/** Whether a person has to settle it. */
export const isOpen = ({ outcome, settled }: PaymentDifference): boolean => outcome !== 'credited' && !settled

/** Those that an operator has settled before stay so. */
export function keepSettled(
  differences: readonly PaymentDifference[],
  earlier: readonly PaymentDifference[],
): PaymentDifference[] {
  const settlements = new Map(earlier.flatMap((one) => (one.settled ? [[differenceId(one), one.settled]] : [])))
  return differences.map((difference) => {
    const settled = difference.outcome === 'credited' ? undefined : settlements.get(differenceId(difference))
    return settled && !difference.settled ? { ...difference, settled } : difference
  })
}

export interface MethodComparison {
  readonly method: string
  readonly bill: 'read' | 'none'
  /** Lines of the bill that are payments, and their sum. */
  readonly payments: number
  readonly amountFen: number
  readonly differences: readonly PaymentDifference[]
}

export function shownDifference(difference: PaymentDifference) {
  const { settled, outcome, ...facts } = difference
  return {
    ...{ differenceId: differenceId(difference), ...facts },
    outcome: settled ? ('settled' as const) : outcome,
    settled: settled ? { ...settled, at: isoOf(settled.at) } : null,
  }
}
