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
}

export interface MethodComparison {
  readonly method: string
  readonly bill: 'read' | 'none'
  /** Lines of the bill that are payments, and their sum. */
  readonly payments: number
  readonly amountFen: number
  readonly differences: readonly PaymentDifference[]
}
