import { sometimes } from '../../../base/sometimes.ts'
import { createWorkLoop } from '../../../base/work-loop.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import { PaymentFault, type PaymentProvider } from '../../../providers/payments/payment-provider.ts'
import { retryAt, type Schedule } from './schedule.ts'
import type { RefundRow } from './store/refunds.ts'
import type { PaymentStore } from './store/store.ts'
import { type Adopt, throttled } from './worker.ts'

export interface RefundDeps {
  readonly store: PaymentStore
  readonly providers: ReadonlyMap<string, PaymentProvider>
  readonly ledger: Pick<Ledger, 'unhold'>
  readonly schedule: Schedule
  readonly clock: () => number
  readonly observer?: RefundObserver
}

export interface RefundObserver {
  /** An operator has to find out what happened. */
  readonly unclear: (refund: Pick<RefundRow, 'refundId' | 'paymentId'>, reason: string) => void
  /** An operator decided otherwise before the provider responded. */
  readonly contradicted: (refund: RefundRow, state: string, said: string) => void
}

/** Asks the provider for a refund whose credits are held, and ends it as the provider says. Repeats are the same refund. */
export function createRefunder({ store, providers, ledger, schedule, clock, observer }: RefundDeps) {
  async function ask(refund: RefundRow) {
    const payment = await store.payments.find(refund.paymentId)
    const provider = providers.get(payment?.method ?? '')
    if (!payment || !provider) throw new PaymentFault('the method of the payment is not configured')
    const { refundId, paymentId, amountFen, reason } = refund
    return provider.refund({ refundId, paymentId, amountFen, totalFen: payment.amountFen, reason })
  }

  return async function proceed(refund: RefundRow): Promise<void> {
    const { refundId, projectId } = refund
    const end = async (to: 'refunded' | 'returned', providerRefundId: string | null) => {
      const how = { refundId, projectId, to, providerRefundId, decision: null, at: clock() }
      if ((await ledger.unhold({ type: 'unhold', ...how })).kind === 'ended') return
      sometimes('a refund has ended before its provider says how')
      const { state } = (await store.refunds.find(refundId))!
      if (state !== to) observer?.contradicted(refund, state, to)
    }
    const later = (change: Partial<RefundRow>) =>
      store.refunds.change(refundId, { nextQueryAt: retryAt(refund.failures, schedule, clock()), ...change })
    try {
      const response = await ask(refund)
      if (response.kind === 'refunded') await end('refunded', response.providerRefundId)
      else if (response.kind === 'refused') await end('returned', null)
      else if (response.kind === 'unclear') {
        const changed = await store.refunds.change(refundId, {
          state: 'review',
          note: response.reason,
          nextQueryAt: null,
        })
        if (changed === 1) observer?.unclear(refund, response.reason)
      } else await later({ state: 'pending', failures: refund.failures + 1 })
    } catch (error) {
      if (!(error instanceof PaymentFault)) throw error
      // Asked again: the provider knows the refund by its id, so it cannot be paid twice.
      await later({ state: 'pending', failures: refund.failures + 1, note: error.message.slice(0, 200) })
    }
  }
}

export type Refunder = ReturnType<typeof createRefunder>

export interface RefundWorkerDeps<Row> {
  readonly queue: {
    readonly hasDue: (now: number) => Promise<boolean>
    readonly claim: (by: string, now: number, until: number, limit: number) => Promise<readonly Row[]>
  }
  readonly proceed: (row: Row) => Promise<void>
  readonly idOf: (row: Row) => string
  readonly instanceId: string
  readonly clock: () => number
  readonly storeFailed: (error: unknown) => void
  readonly adopt?: Adopt
}

/** Each may wait for its provider until the time limit, and hold up those behind it. */
const slots = 8
const claimMs = 180_000
const adoptMs = 2000

/** Continues the refunds that are due, or the ends of payments. */
export function createRefundWorker<Row>(deps: RefundWorkerDeps<Row>) {
  const { queue, proceed, idOf, instanceId, clock, storeFailed } = deps
  const adopt = throttled(adoptMs, deps.adopt)
  const underWay = new Set<Row>()

  async function work(row: Row): Promise<void> {
    underWay.add(row)
    await proceed(row).finally(() => underWay.delete(row))
  }

  async function beginDue(): Promise<boolean> {
    await adopt([...underWay].map(idOf))
    const free = slots - underWay.size
    if (free <= 0 || !(await queue.hasDue(clock())) || loop.isStopping()) return false
    const now = clock()
    const claimed = await queue.claim(instanceId, now, now + claimMs, free)
    for (const row of claimed) loop.begin(work(row))
    return claimed.length === free
  }
  const loop = createWorkLoop({ beginDue, onFault: storeFailed })
  return loop
}

export const shownRefund = ({ refundId, amountFen, credits, reference, state, note }: RefundRow) => ({
  ...{ refundId, amountFen, credits, reference, note },
  state: shownRefundState(state),
})

/** `held` is shown as `pending`. */
export const shownRefundState = (state: RefundRow['state']) =>
  state === 'waiting' || state === 'held' ? 'pending' : state
