import type { Logger } from 'pino'
import { dayMs, dayOf, dayOfText, dayText, hourMs, minuteMs, startOfDay } from '../../../base/time.ts'
import { currency } from '../../../contract/prices.ts'
import type { Task } from '../../../ops/maintenance.ts'
import { type BillLine, PaymentFault, type PaymentProvider } from '../../../providers/payments/payment-provider.ts'
import type { CheckPayment } from './check-payment.ts'
import type { MethodComparison, PaymentDifference } from './differences.ts'
import type { ComparedRefund } from './store/comparisons.ts'
import type { PaymentRow } from './store/payments.ts'
import type { PaymentStore } from './store/store.ts'

export interface CompareDeps {
  readonly store: PaymentStore
  readonly providers: ReadonlyMap<string, PaymentProvider>
  readonly checkPayment: CheckPayment
  readonly clock: () => number
}

/** Compares a day in China with the bill of a provider. What was paid there and not here is credited, if a query confirms it. */
export function createComparison({ store, providers, checkPayment, clock }: CompareDeps) {
  /** The payment after its provider was asked once more. */
  async function settle(row: PaymentRow): Promise<PaymentRow> {
    try {
      await checkPayment(row)
    } catch (error) {
      if (!(error instanceof PaymentFault)) throw error
    }
    return (await store.payments.find(row.paymentId)) ?? row
  }

  async function differencesOf(method: string, paymentId: string, lines: readonly BillLine[]) {
    const found = await store.payments.find(paymentId)
    const row = found?.method === method ? found : undefined
    if (!row) return lines.map((line) => difference('not_here', line, null, 'open'))
    if (row.state === 'paid') return paidDifferences(row, lines)
    const now = await settle(row)
    const credited = lines.find(({ transactionId }) => transactionId === now.transactionId) ?? lines[0]!
    if (now.state === 'paid') return [difference('not_here', credited, now, 'credited'), ...paidDifferences(now, lines)]
    const outcome = now.state === 'review' ? 'review' : 'open'
    return lines.map((line) => difference(contradiction(now, line) ?? 'not_here', line, now, outcome))
  }

  return async function compare(date: string, method: string): Promise<MethodComparison> {
    const bill = await providers.get(method)!.bill(date)
    const lines = bill ?? []
    const payments = lines.filter(({ kind }) => kind === 'payment')
    const from = startOfDay(dayOfText(date))
    const differences: PaymentDifference[] = []
    for (const [paymentId, own] of Map.groupBy(payments, (line) => line.paymentId))
      differences.push(...(await differencesOf(method, paymentId, own)))
    await recordExtra({ store, clock }, lines, differences, from)
    const there = new Set(payments.map(({ transactionId }) => transactionId))
    for (const row of await store.comparisons.paidBetween(method, from, from + dayMs)) {
      if (!there.has(row.transactionId!)) differences.push(onlyHere('not_there', row))
    }
    const refunds = await store.comparisons.refundsBetween(method, from, from + dayMs)
    differences.push(...(await refundDifferences(lines, refunds)))
    const ended = await settleEnded(store, differences)
    const compared: MethodComparison = {
      method,
      bill: bill === null ? 'none' : 'read',
      payments: payments.length,
      amountFen: payments.reduce((sum, { amountFen }) => sum + amountFen, 0),
      differences: ended,
    }
    return { ...compared, differences: await store.comparisons.save(date, compared, clock()) }
  }

  async function refundDifferences(lines: readonly BillLine[], here: readonly ComparedRefund[]) {
    const differences: PaymentDifference[] = []
    const there = lines.filter(({ kind }) => kind === 'refund')
    for (const line of there) {
      const refund = await store.comparisons.refund(line.refundId ?? '')
      if (!refund) differences.push(difference('refund_not_here', line, null, 'open'))
      else if (refund.amountFen !== line.amountFen)
        differences.push({ ...difference('refund_differs', line, null, 'open'), amountFenHere: refund.amountFen })
      else if (refund.state === 'returned') differences.push(difference('refund_not_here', line, null, 'open'))
    }
    for (const refund of here) {
      if (there.some(({ refundId }) => refundId === refund.refundId)) continue
      differences.push(onlyHere('refund_not_there', { ...refund, transactionId: refund.refundId }))
    }
    return differences
  }
}

/** Money that an operator has ended needs no second decision. */
async function settleEnded(
  { uncredited }: PaymentStore,
  differences: readonly PaymentDifference[],
): Promise<PaymentDifference[]> {
  const ids = [...new Set(differences.flatMap(({ paymentId }) => paymentId ?? []))]
  const ended = (await uncredited.ofPayments(ids)).filter(({ decidedAt }) => decidedAt !== null)
  return differences.map((difference) => {
    const { paymentId, transactionId, outcome } = difference
    const row = ended.find((one) => one.paymentId === paymentId && one.transactionId === transactionId)
    if (!row || outcome === 'credited') return difference
    return { ...difference, settled: { by: row.decidedBy!, at: row.decidedAt!, reason: row.reason! } }
  })
}

/** Second payments that only the bill has: a query returns one transaction of a payment. */
async function recordExtra(
  { store, clock }: Pick<CompareDeps, 'store' | 'clock'>,
  lines: readonly BillLine[],
  differences: readonly PaymentDifference[],
  paidAt: number,
): Promise<void> {
  for (const { kind, paymentId, transactionId } of differences) {
    const line = kind === 'paid_twice' && lines.find((one) => one.transactionId === transactionId)
    if (!line || paymentId === null || transactionId === null) continue
    const { amountFen, currency } = line
    await store.uncredited.record(paymentId, { transactionId, amountFen, currency, paidAt }, null, clock())
  }
}

export type Compare = ReturnType<typeof createComparison>

/** Of a payment that is credited: another amount, or another transaction under its number. */
function paidDifferences(row: PaymentRow, lines: readonly BillLine[]): PaymentDifference[] {
  return lines.flatMap((line) => {
    if (line.transactionId !== row.transactionId) return [difference('paid_twice', line, row, 'review')]
    const kind = contradiction(row, line)
    return kind ? [difference(kind, line, row, 'open')] : []
  })
}

function contradiction(row: PaymentRow, line: BillLine): PaymentDifference['kind'] | null {
  if (line.currency !== currency) return 'currency_differs'
  return line.amountFen === row.amountFen ? null : 'amount_differs'
}

const difference = (
  kind: PaymentDifference['kind'],
  { paymentId, transactionId, amountFen }: BillLine,
  here: PaymentRow | null,
  outcome: PaymentDifference['outcome'],
): PaymentDifference => ({
  kind,
  paymentId: paymentId || null,
  transactionId: transactionId || null,
  amountFenHere: here?.amountFen ?? null,
  amountFenThere: amountFen,
  outcome,
})

const onlyHere = (
  kind: PaymentDifference['kind'],
  { paymentId, transactionId, amountFen }: Pick<PaymentRow, 'paymentId' | 'transactionId' | 'amountFen'>,
): PaymentDifference => ({
  kind,
  paymentId,
  transactionId,
  amountFenHere: amountFen,
  amountFenThere: null,
  outcome: 'open',
})

export interface CompareTaskDeps {
  readonly compare: Compare
  readonly store: PaymentStore
  readonly methods: readonly string[]
  readonly clock: () => number
  readonly logger: Logger
}

/** Bills of yesterday are there by ten in the morning in China. */
const billHour = 10

/** Compares yesterday with the bill of each provider, once each morning. Idempotent, so that instances need no lock. */
export const compareTask = ({ compare, store, methods, clock, logger }: CompareTaskDeps): Task => ({
  name: 'payment comparison',
  everyMs: 10 * minuteMs,
  async run(stopping) {
    const now = clock()
    if (now < startOfDay(dayOf(now)) + billHour * hourMs) return
    const date = dayText(dayOf(now) - 1)
    for (const method of methods) {
      const earlier = await store.comparisons.find(date, method)
      const isDone = earlier !== undefined && dayOf(earlier.comparedAt) === dayOf(now)
      if (isDone || stopping.aborted) continue
      try {
        const unsettled = (await compare(date, method)).differences.filter(({ settled }) => !settled)
        const facts = { date, method, differences: unsettled.length }
        logger[unsettled.length > 0 ? 'error' : 'info'](facts, 'the payments of a day were compared')
      } catch (error) {
        logger.warn({ date, method, err: error }, 'the payments of a day could not be compared')
      }
    }
  },
})
