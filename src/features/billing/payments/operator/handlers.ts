import { dayOf, dayText, isoOf } from '../../../../base/time.ts'
import { operatorRefusal } from '../../../../contract/error-codes/operators.ts'
import { Refusal } from '../../../../contract/errors.ts'
import { ok } from '../../../../http/endpoint.ts'
import { type Actor, noteOf } from '../../../../operator-kit/actor.ts'
import { type OperatorHandler, operatorHandler } from '../../../../operator-kit/endpoint.ts'
import type { ListParameters } from '../../../../operator-kit/operation.ts'
import { ownReasons } from '../../../../operator-kit/own-reasons.ts'
import type { OperatorPart } from '../../../../ops/feature.ts'
import { PaymentFault } from '../../../../providers/payments/payment-provider.ts'
import { pageOf } from '../../../../storage/sql-text.ts'
import { shownDifference } from '../differences.ts'
import { operatedPayments } from '../payments.ts'
import { shownRefund } from '../refunds.ts'
import type { ComparisonRow } from '../store/comparisons.ts'
import type { PaymentRow } from '../store/payments.ts'
import { createPaymentStore, type PaymentStore } from '../store/store.ts'
import { commandTools, type PaymentTools } from '../tools.ts'
import {
  type ComparePaymentsRequest,
  type ComparisonListParameters,
  comparisonOperations,
  type DecideRefundRequest,
  type EndPaymentRequest,
  operatedPaymentOperations,
  type PaymentListParameters,
  type RefundPaymentRequest,
  type SettleDifferenceRequest,
} from './contract.ts'
import { endPayment } from './end-payment.ts'
import { decideRefund } from './refund-decisions.ts'
import { refundPayment } from './refund-requests.ts'
import { settleDifference } from './settle-difference.ts'
import { type PaymentActionDeps, paymentActions } from './store.ts'
import { decideUncredited } from './unclear-refunds.ts'

export interface OperatedPaymentDeps extends PaymentActionDeps {
  readonly store: PaymentStore
  /** Made when an action needs a provider: most do not, and a command may have no credentials. */
  readonly tools: () => Pick<PaymentTools, 'proceed' | 'compare' | 'providers' | 'checkPayment' | 'carryOut'>
}

export function operatedPaymentHandlers(deps: OperatedPaymentDeps): OperatorHandler[] {
  const { payments, refunds } = deps.store
  return [
    operatorHandler<unknown, PaymentListParameters>('operator.payments.list', async ({ query }) => {
      const { state = null, refunds: refundState, decision, after = null, limit } = query
      const which = { state, hasReview: refundState !== undefined, isOpen: decision !== undefined }
      const found = await payments.list({ ...which, after, limit: limit + 1 })
      const { rows, next } = pageOf(found, limit, ({ paymentId }) => paymentId)
      return ok({ items: await operatedPayments(deps.store, rows), nextAfter: next })
    }),
    operatorHandler('operator.payments.show', async ({ at }) => {
      const row = await payments.find(at('paymentId'))
      if (!row) throw operatorRefusal('PAYMENT_NOT_FOUND')
      const [shown] = await operatedPayments(deps.store, [row])
      return ok({ ...shown, refunds: (await refunds.ofPayment(row.paymentId)).map(shownRefund) })
    }),
    operatorHandler<RefundPaymentRequest>('operator.payments.refund', async ({ actor, at, body }) => {
      const paymentId = at('paymentId')
      const { refundId, ...requested } = await refundPayment(deps, actor, { paymentId, ...body })
      const held = (await refunds.find(refundId))!
      if (held.state === 'held') await deps.tools().proceed(held)
      const { replayed, approvalId } = requested
      const shown = { ...shownRefund((await refunds.find(refundId))!), paymentId, replayed, approvalId }
      return ok(shown, approvalId === null ? 200 : 202)
    }),
    endHandler(deps),
    operatorHandler<DecideRefundRequest>('operator.refunds.decide', async ({ actor, at, body }) => {
      const { outcome: to, reason } = body
      const uncredited = await decideUncredited(deps, actor, { refundId: at('refundId'), to, reason })
      if (uncredited) return ok(uncredited, uncredited.approvalId === null ? 200 : 202)
      const decided = await decideRefund(deps, actor, { refundId: at('refundId'), to, reason })
      const { refund, approvalId } = decided
      const shown = { ...shownRefund(refund), paymentId: refund.paymentId, approvalId }
      return ok(shown, approvalId === null ? 200 : 202)
    }),
    ...comparisonHandlers(deps),
  ]
}

/** Decides, then carries it out as far as the provider responds; the worker continues. */
function endHandler(deps: OperatedPaymentDeps): OperatorHandler {
  const { payments, uncredited } = deps.store
  /** A payment in review since before what was paid was recorded: the provider says it again. */
  async function recordPaid(row: PaymentRow): Promise<void> {
    if (row.state !== 'review' || (await uncredited.ofPayment(row.paymentId)).length > 0) return
    try {
      await deps.tools().checkPayment(row)
    } catch (error) {
      if (!(error instanceof PaymentFault)) throw error
      throw operatorRefusal('PAYMENT_UNAVAILABLE', `The provider could not be asked: ${error.message}.`)
    }
  }
  return operatorHandler<EndPaymentRequest>('operator.payments.end', async ({ actor, at, body }) => {
    const row = await payments.find(at('paymentId'))
    if (!row) throw operatorRefusal('PAYMENT_NOT_FOUND')
    await recordPaid(row)
    const { paymentId } = row
    const { decided, approvalId, amountFen } = await endPayment(deps, actor, { paymentId, ...body })
    for (const id of decided) await deps.tools().carryOut((await uncredited.find(id))!)
    const [shown] = await operatedPayments(deps.store, [(await payments.find(paymentId))!])
    return ok({ ...shown, outcome: body.outcome, endedFen: amountFen, approvalId }, approvalId === null ? 200 : 202)
  })
}

export const paymentsPart: OperatorPart = {
  operations: [...operatedPaymentOperations, ...comparisonOperations],
  build(context) {
    let built: PaymentTools | undefined
    const tools = () => {
      built ??= commandTools(context)
      return built
    }
    const { config, ...acting } = context
    const { approvalAboveCredits } = config.operators
    const store = createPaymentStore(context.engine)
    return {
      operatorHandlers: operatedPaymentHandlers({ ...acting, approvalAboveCredits, store, tools }),
      close: async () => built?.close(),
    }
  },
}

function comparisonHandlers(deps: OperatedPaymentDeps): OperatorHandler[] {
  const { comparisons } = deps.store
  const run = createComparisonRun(deps)
  return [
    operatorHandler<unknown, ComparisonListParameters>(
      'operator.payment_comparisons.list',
      async ({ query: { after, limit, onlyOpen } }) => {
        const [date = '', method = ''] = after?.split('.') ?? []
        const found = await comparisons.page(after ? { date, method } : null, onlyOpen === 'yes', limit + 1)
        const { rows, next } = pageOf(found, limit, (row) => `${row.date}.${row.method}`)
        return ok({ items: rows.map(shownComparison), nextAfter: next, methods: [...deps.tools().providers.keys()] })
      },
    ),
    operatorHandler<unknown, ListParameters>(
      'operator.payment_comparisons.show',
      async ({ at, query: { after = '0', limit } }) => {
        const row = await comparisons.find(at('date'), at('method'))
        if (!row) throw operatorRefusal('COMPARISON_NOT_FOUND')
        const end = Number(after) + limit
        const nextAfter = end < row.differences.length ? String(end) : null
        const items = row.differences.slice(Number(after), end).map(shownDifference)
        return ok({ items, nextAfter, comparison: shownComparison(row) })
      },
    ),
    operatorHandler<ComparePaymentsRequest>('operator.payment_comparisons.run', async ({ actor, body }) =>
      ok({ items: (await run(actor, body)).map(shownComparison) }),
    ),
    operatorHandler<SettleDifferenceRequest>('operator.payment_comparisons.settle', async ({ actor, at, body }) => {
      const difference = { ...body, date: at('date'), method: at('method') }
      const settled = await settleDifference(deps, actor, difference)
      return ok({ difference: shownDifference(settled.difference), openCount: settled.openDifferences })
    }),
  ]
}

/** Compares a day now; one at a time. */
function createComparisonRun(deps: OperatedPaymentDeps) {
  const { store, clock } = deps
  let isRunning = false

  async function run(date: string, methods: readonly string[]) {
    if (isRunning) throw operatorRefusal('RECONCILE_RUNNING')
    isRunning = true
    try {
      for (const method of methods) await deps.tools().compare(date, method)
    } catch (error) {
      if (!(error instanceof PaymentFault)) throw error
      throw operatorRefusal('BILL_UNAVAILABLE', `The bill of ${date} cannot be read: ${error.message}.`)
    } finally {
      isRunning = false
    }
  }

  return async (actor: Actor, { date, method }: ComparePaymentsRequest): Promise<ComparisonRow[]> => {
    const at = clock()
    if (!isDay(date) || date > dayText(dayOf(at))) throw operatorRefusal('DATE_INVALID')
    const { providers } = deps.tools()
    if (method !== undefined && !providers.has(method)) throw new Refusal('PAYMENT_METHOD_INVALID')
    const methods = method === undefined ? [...providers.keys()] : [method]
    const note = noteOf(actor, { action: 'payments.compare', object: date, reason: ownReasons.fromConsole }, at)
    await paymentActions(deps).write((tx) => tx.audit({ ...note, at, before: null, after: null }))
    await run(date, methods)
    return Promise.all(methods.map(async (name) => (await store.comparisons.find(date, name))!))
  }
}

const isDay = (date: string) => new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) === true

const shownComparison = ({ differences, openDifferences, comparedAt, ...row }: ComparisonRow) => ({
  ...row,
  comparedAt: isoOf(comparedAt),
  differenceCount: differences.length,
  settledCount: differences.filter(({ settled }) => settled).length,
  openCount: openDifferences,
})
