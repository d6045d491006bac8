import type { Logger } from 'pino'
import { dayMs } from '../../../base/time.ts'
import { defineFeature } from '../../../ops/feature.ts'
import { inRounds } from '../../../ops/maintenance.ts'
import type { Metrics } from '../../../ops/metrics.ts'
import type { PaymentProvider } from '../../../providers/payments/payment-provider.ts'
import type { Accounts } from '../../identity/accounts/feature.ts'
import { type CallbackResult, createCallbacks, inboxContext } from './callbacks.ts'
import { compareTask } from './compare.ts'
import { orderOperations, paymentOperations } from './contract.ts'
import { comparisonOperations, operatedPaymentOperations } from './operator/contract.ts'
import { paymentEndApprovals } from './operator/end-payment.ts'
import { operatedPaymentHandlers } from './operator/handlers.ts'
import { refundDecisionApprovals } from './operator/refund-decisions.ts'
import { refundApprovals } from './operator/refund-requests.ts'
import { createOrders } from './orders.ts'
import { createPayments } from './payments.ts'
import { createRefundWorker, type RefundObserver } from './refunds.ts'
import { orderListRoutes, orderRoutes, paymentRoutes } from './routes.ts'
import { adoptPayments } from './store/payments.ts'
import { adoptRefunds } from './store/refunds.ts'
import type { PaymentStore } from './store/store.ts'
import { createMoneySums } from './store/sums.ts'
import { adoptUncredited } from './store/uncredited.ts'
import { createPaymentTools } from './tools.ts'
import { type Adopt, createPaymentWorker, type PaymentObserver } from './worker.ts'

export interface PaymentsFeatureDeps {
  readonly accounts: Accounts
  /** Providers outside the configuration, such as the simulated one, by method. */
  readonly others: ReadonlyMap<string, PaymentProvider>
}

/** Longer than any provider repeats a callback. */
const inboxDays = 35

export const paymentsFeature = defineFeature({
  name: 'payments',
  consoleOperations: [...orderOperations, ...paymentOperations],
  operatorOperations: [...operatedPaymentOperations, ...comparisonOperations],
  sealed: () => [{ name: 'paymentCallbacks', table: 'payment_inbox', id: 'inbox_id', context: inboxContext }],
  build(context, { accounts: { guards }, others }: PaymentsFeatureDeps) {
    const { config, engine, ledger, keyring, clock, logger, instanceId, lease, operation } = context
    const tools = createPaymentTools(context, others, observeRefunds(logger))
    const { store, providers, checkPayment, compare, proceed, carryOut } = tools
    const schedule = config.payments
    const observer = observe(logger)
    const adopting =
      (adopt: typeof adoptPayments): Adopt =>
      (underWay) =>
        adopt(engine, { by: instanceId, now: clock(), underWay, includesOthers: lease.canRecoverOthers() })
    const worker = createPaymentWorker({
      ...{ store, checkPayment, schedule, instanceId, clock, observer },
      adopt: adopting(adoptPayments),
    })
    const { storeFailed } = observer
    const refundWorker = createRefundWorker({
      ...{ queue: store.refunds, proceed, instanceId, clock, storeFailed },
      idOf: ({ refundId }) => refundId,
      adopt: adopting(adoptRefunds),
    })
    const endWorker = createRefundWorker({
      ...{ queue: store.uncredited, proceed: carryOut, instanceId, clock, storeFailed },
      idOf: ({ uncreditedId }) => uncreditedId,
      adopt: adopting(adoptUncredited),
    })
    const orders = createOrders({ store, ledger, clock, paymentMode: config.paymentMode })
    const actions = { engine, ledger, clock, approvalAboveCredits: config.operators.approvalAboveCredits }
    const counts = new CallbackCounts()
    const callbacks = createCallbacks({
      store,
      providers,
      keyring,
      clock,
      wake: worker.wake,
      observed(method, result, paymentId) {
        counts.add(method, result)
        if (result === 'unknown_order')
          logger.error({ method, paymentId }, 'a payment callback is about an unknown order')
      },
    })
    const payments = createPayments({
      store,
      providers,
      schedule,
      clock,
      wake: worker.wake,
      onFault: (paymentId, method, error) =>
        logger.warn({ paymentId, method, reason: error.message }, 'a payment provider gave no response'),
    })
    return {
      ...{ receiveCallback: callbacks.receive, orders, money: createMoneySums(engine) },
      routes: [
        ...orderRoutes({ operation, guards, orders }),
        ...orderListRoutes({ operation, guards, orders }),
        ...paymentRoutes({ operation, guards, payments }),
        callbacks.route,
      ],
      operatorHandlers: operatedPaymentHandlers({ ...actions, store, tools: () => tools }),
      approvalHandlers: [refundApprovals(actions), refundDecisionApprovals(actions), paymentEndApprovals(actions)],
      workers: [worker, refundWorker, endWorker],
      tasks: [
        compareTask({ compare, store, methods: [...providers.keys()], clock, logger }),
        inRounds('payment inbox', (limit) => store.payments.pruneInbox(clock() - inboxDays * dayMs, limit)),
      ],
      registerMetrics: (metrics: Metrics) => register(metrics, store, counts),
      close: tools.close,
    }
  },
})

export type PaymentsParts = ReturnType<typeof paymentsFeature.build>

class CallbackCounts {
  readonly #samples = new Map<string, { labels: Record<string, string>; value: number }>()
  readonly read = () => [...this.#samples.values()]

  add(method: string, result: CallbackResult): void {
    const key = `${method} ${result}`
    const sample = this.#samples.get(key) ?? { labels: { method, result }, value: 0 }
    sample.value += 1
    this.#samples.set(key, sample)
  }
}

function observe(logger: Logger): PaymentObserver {
  return {
    credited: ({ paymentId, method, credits }) => logger.info({ paymentId, method, credits }, 'a payment was credited'),
    changed({ paymentId, method }, state, note) {
      const facts = { paymentId, method, state, note }
      if (state === 'review') logger.error(facts, 'a payment needs a review')
      else logger.info(facts, 'a payment changed')
    },
    paidTwice: ({ paymentId, method }, transactionId) =>
      logger.error({ paymentId, method, transactionId }, 'a payment was paid twice'),
    faulty: ({ paymentId, method, failures }, error) =>
      logger.warn({ paymentId, method, failures, reason: error.message }, 'a payment provider gave no response'),
    storeFailed: (error) => logger.error({ err: error }, 'the payments cannot be read'),
  }
}

const observeRefunds = (logger: Logger): RefundObserver => ({
  unclear: ({ refundId, paymentId }, reason) =>
    logger.error({ refundId, paymentId, reason }, 'a refund needs a review'),
  contradicted: ({ refundId, paymentId }, state, said) =>
    logger.error({ refundId, paymentId, state, said }, 'the provider contradicts the end of a refund'),
})

function register(metrics: Metrics, store: PaymentStore, counts: CallbackCounts): void {
  metrics.gauge(
    'gateway_payment_differences',
    'Differences between the payments here and the bills of the providers that are still open.',
    store.comparisons.countOpen,
  )
  metrics.gauge(
    'gateway_payment_refunds_in_review',
    'Refunds whose outcome the provider does not tell, which an operator has to end.',
    async () => (await store.refunds.countInReview()) + (await store.uncredited.countUnclear()),
  )
  metrics.samples(
    {
      type: 'counter',
      name: 'gateway_payment_callbacks_total',
      help: 'Callbacks of payment providers by method and result.',
      labels: ['method', 'result'],
    },
    counts.read,
  )
  metrics.samples(
    { type: 'gauge', name: 'gateway_payments', help: 'Payments by state, across all instances.', labels: ['state'] },
    async () => (await store.payments.countByState()).map(({ state, count }) => ({ labels: { state }, value: count })),
  )
}
