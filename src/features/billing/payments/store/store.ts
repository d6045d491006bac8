import type { Engine } from '../../../../storage/engine.ts'
import { comparisonTable } from './comparisons.ts'
import { orderTable } from './orders.ts'
import { paymentTables } from './payments.ts'
import { refundTable } from './refunds.ts'

export const createPaymentStore = (engine: Engine) => ({
  orders: orderTable(engine),
  payments: paymentTables(engine),
  refunds: refundTable(engine),
  comparisons: comparisonTable(engine),
})

export type PaymentStore = ReturnType<typeof createPaymentStore>
