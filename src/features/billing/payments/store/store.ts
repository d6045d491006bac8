import type { Engine } from '../../../../storage/engine.ts'
import { comparisonTable } from './comparisons.ts'
import { orderTable } from './orders.ts'
import { paymentTables } from './payments.ts'
import { refundTable } from './refunds.ts'

/** Orders, the payments that pay them, the refunds of those, and the comparisons with the bills. */
export const createPaymentStore = (engine: Engine) => ({
  orders: orderTable(engine),
  payments: paymentTables(engine),
  refunds: refundTable(engine),
  comparisons: comparisonTable(engine),
})

export type PaymentStore = ReturnType<typeof createPaymentStore>
