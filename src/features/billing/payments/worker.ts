import { monotonicMs } from '../../../base/clock.ts'
import { createWorkLoop } from '../../../base/work-loop.ts'
import { PaymentFault } from '../../../providers/payments/payment-provider.ts'
import { afterFailure, type CheckPayment } from './check-payment.ts'
import type { Schedule } from './schedule.ts'
import { claimedPerProject, type PaymentChange, type PaymentRow } from './store/payments.ts'
import type { PaymentStore } from './store/store.ts'

export interface PaymentObserver {
  readonly credited: (payment: PaymentRow) => void
  readonly changed: (payment: PaymentRow, state: string, note: string | null) => void
  readonly paidTwice: (payment: PaymentRow, transactionId: string) => void
  readonly faulty: (payment: PaymentRow, error: PaymentFault) => void
  readonly storeFailed: (error: unknown) => void
}

export interface PaymentWorkerDeps {
  readonly store: PaymentStore
  readonly checkPayment: CheckPayment
  readonly schedule: Schedule
  readonly instanceId: string
  readonly clock: () => number
  readonly observer: PaymentObserver
  readonly adopt?: Adopt
}

/** Requeues what dead instances have claimed, and what this one has claimed and does not work on. */
export type Adopt = (underWay: readonly string[]) => Promise<void>

const slots = 4 * claimedPerProject
/** Longer than the four calls that a payment may take, with the longest time limit. */
const claimMs = 180_000
const adoptMs = 2000

/** Throttles `act`. */
export function throttled(ms: number, act: Adopt = async () => {}): Adopt {
  let lastAt = Number.NEGATIVE_INFINITY
  return async (underWay) => {
    if (monotonicMs() - lastAt < ms) return
    lastAt = monotonicMs()
    await act(underWay)
  }
}

/** Projects that use their share of the slots; at most four, because a share is a quarter of them. */
const busyProjects = (underWay: ReadonlySet<PaymentRow>): string[] =>
  [...Map.groupBy(underWay, ({ projectId }) => projectId)]
    .filter(([, rows]) => rows.length >= claimedPerProject)
    .map(([projectId]) => projectId)

/** Asks the providers about the payments that are due, each by one instance at a time. */
export function createPaymentWorker(deps: PaymentWorkerDeps) {
  const { store, checkPayment, schedule, instanceId, clock, observer } = deps
  const adopt = throttled(adoptMs, deps.adopt)
  const underWay = new Set<PaymentRow>()

  async function work(row: PaymentRow): Promise<void> {
    underWay.add(row)
    try {
      const { nextQueryAt, change } = await judge(row)
      await store.payments.release(instanceId, row.paymentId, nextQueryAt, change)
      if (change.state !== undefined && change.state !== row.state)
        observer.changed(row, change.state, change.note ?? null)
    } finally {
      underWay.delete(row)
    }
  }

  /** What is left to write after the ledger. */
  async function judge(row: PaymentRow): Promise<{ nextQueryAt: number | null; change: PaymentChange }> {
    try {
      const verdict = await checkPayment(row)
      if (verdict.kind === 'changed') return verdict
      if (verdict.kind === 'credited' && verdict.isNew) observer.credited(row)
      if (verdict.kind === 'paid_twice') observer.paidTwice(row, verdict.transactionId)
      if (verdict.kind === 'review' || verdict.kind === 'failed') observer.changed(row, verdict.kind, verdict.note)
      return { nextQueryAt: null, change: {} }
    } catch (error) {
      if (!(error instanceof PaymentFault)) throw error
      observer.faulty(row, error)
      return afterFailure(row, schedule, clock())
    }
  }

  async function beginDue(): Promise<boolean> {
    await adopt([...underWay].map(({ paymentId }) => paymentId))
    const free = slots - underWay.size
    if (free <= 0 || !(await store.payments.hasDue(clock())) || loop.isStopping()) return false
    const now = clock()
    const busy = busyProjects(underWay)
    const claimed = await store.payments.claim({ by: instanceId, now, until: now + claimMs, limit: free, busy })
    for (const row of claimed) loop.begin(work(row))
    return claimed.length === free
  }

  const loop = createWorkLoop({ beginDue, onFault: observer.storeFailed })
  return loop
}
