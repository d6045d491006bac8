import { payingMethod } from '../payments.ts'
import { Cashier } from './cashier.ts'
import type { BeginLife, LifeScene } from './life.ts'

interface Money {
  readonly uncreditedId: string
  readonly transactionId: string
  readonly amountFen: number
  readonly state: string
  readonly refundId: string | null
  readonly decidedBy: string | null
  readonly nextQueryAt: number | null
  readonly lots: number
}

const selectMoney = `SELECT u.uncredited_id AS "uncreditedId", u.transaction_id AS "transactionId",
    u.amount_fen AS "amountFen", u.state, u.refund_id AS "refundId", u.decided_by AS "decidedBy", u.next_query_at AS "nextQueryAt",
    (SELECT COUNT(*) FROM credit_lots l WHERE l.reference = '${payingMethod}:' || u.transaction_id) AS lots
  FROM uncredited_payments u`

/** Money in review is credited or refunded once, and only by an operator. */
function check({ world, store, truth, payments }: LifeScene): void {
  if (truth.hasLostCommits) return
  for (const money of store.db.all<Money>(selectMoney)) {
    const { uncreditedId, transactionId, amountFen, state, refundId, decidedBy, nextQueryAt, lots } = money
    world.reach(`money in review: ${state}`)
    const says = (what: string) => world.fail(`the money ${uncreditedId} of ${transactionId} ${what}`)
    const byHandFen = payments.byHand.get(transactionId) ?? 0
    if (lots > 0 && decidedBy === null)
      says(`was credited without an operator, ${byHandFen} of ${amountFen} fen were refunded by hand`)
    const refunds = [...payments.refunds].filter(([, one]) => one.transactionId === transactionId)
    // A gateway that was frozen may ask the provider after an operator has looked there.
    const counted = refunds.filter(([id, { at }]) => at <= (payments.lookedAt.get(id) ?? Number.POSITIVE_INFINITY))
    if (lots > 0 && counted.length > 0) says(`was credited, and refunded as ${counted[0]![0]}`)
    if (state === 'refunded' && refundId !== null && byHandFen === 0 && refunds.length === 0)
      says('counts as refunded and never was')
    if (counted.some(([id]) => id !== refundId)) says(`is ${state}, and was refunded as ${counted[0]![0]}`)
    if (nextQueryAt !== null) says(`is still ${state}`)
  }
}

export const undecidedPayments: BeginLife = (scene) => ({
  people: scene.plan.isOn('operators') ? ['cy', 'di'].map((name) => new Cashier(name, scene)) : [],
  check: () => check(scene),
})
