import type { Engine } from '../../../../storage/engine.ts'
import { comparisonTable } from './comparisons.ts'
import { orderTable } from './orders.ts'
import { paymentTables } from './payments.ts'
import { refundTable } from './refunds.ts'
import { uncreditedTable } from './uncredited.ts'

/** `onEvents` is called after events were committed. */
export const createPaymentStore = (engine: Engine, onEvents: () => void = () => {}) => ({
  orders: orderTable(engine),
  payments: paymentTables(engine),
  refunds: refundTable(engine),
  comparisons: comparisonTable(engine),
  uncredited: uncreditedTable(engine, onEvents),
})

export type PaymentStore = ReturnType<typeof createPaymentStore>
