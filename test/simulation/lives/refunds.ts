import type { BeginLife, LifeScene } from './life.ts'

interface Refund {
  readonly refundId: string
  readonly paymentId: string
  readonly lotId: string
  readonly amountFen: number
  readonly state: string
  readonly paidLotId: string | null
  readonly paidFen: number
}

const selectRefunds = `SELECT f.refund_id AS "refundId", f.payment_id AS "paymentId", f.lot_id AS "lotId",
    f.amount_fen AS "amountFen", f.state, p.amount_fen AS "paidFen", l.lot_id AS "paidLotId"
  FROM payment_refunds f JOIN payments p ON p.payment_id = f.payment_id
  LEFT JOIN credit_lots l ON l.order_id = p.order_id`

/** A refund takes the credits that its payment bought, and all refunds of a payment together no more than was paid. */
function check({ world, store, truth }: LifeScene): void {
  if (truth.hasLostCommits) return
  const refunded = new Map<string, number>()
  for (const refund of store.db.all<Refund>(selectRefunds)) {
    const { refundId, paymentId, lotId, amountFen, state, paidLotId, paidFen } = refund
    if (lotId !== paidLotId)
      world.fail(`the refund ${refundId} is counted against ${lotId}, and was paid as ${paidLotId}`)
    if (state === 'returned') continue
    const sum = (refunded.get(paymentId) ?? 0) + amountFen
    refunded.set(paymentId, sum)
    if (sum > paidFen) world.fail(`${sum} fen of ${paymentId} were refunded, and ${paidFen} were paid`)
  }
}

export const refunds: BeginLife = (scene) => ({ check: () => check(scene) })
