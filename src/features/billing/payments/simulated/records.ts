import type {
  SimulatedRecords,
  SimulatedTrade,
  SimulatedTransaction,
} from '../../../../providers/payments/simulated.ts'
import type { Engine } from '../../../../storage/engine.ts'
import { integer, orNull, rowMapper, text } from '../../../../storage/row-mapper.ts'

const trades = rowMapper('simulated_trades', {
  tradeId: text(),
  amountFen: integer(),
  currency: text(),
  state: text<SimulatedTrade['state']>(),
  expiresAt: integer(),
  createdAt: integer(),
})

const transactions = rowMapper('simulated_transactions', {
  transactionId: text(),
  tradeId: text(),
  kind: text<SimulatedTransaction['kind']>(),
  amountFen: integer(),
  currency: text(),
  refundId: orNull(text()),
  at: integer('happened_at'),
})

const maxPerDay = 100_000

/** The provider's records, in the store, so that they outlive a restart. */
export const createSimulatedRecords = (engine: Engine): SimulatedRecords => ({
  open: async (trade) => {
    await engine.write((tx) => trades.insert(tx, trade, 'ON CONFLICT (trade_id) DO NOTHING'))
  },
  find: (tradeId) =>
    engine.read(async (tx) => {
      const trade = await trades.get(tx, 'WHERE trade_id = $1', [tradeId])
      const own = 'WHERE trade_id = $1 ORDER BY happened_at, transaction_id'
      return trade && { trade, transactions: await transactions.all(tx, own, [tradeId]) }
    }),
  close: async (tradeId) => {
    const isUnpaid = `NOT EXISTS (SELECT 1 FROM simulated_transactions s WHERE s.trade_id = $1)`
    await engine.write((tx) => trades.update(tx, { state: 'closed' }, `trade_id = $1 AND ${isUnpaid}`, [tradeId]))
  },
  add: async (transaction) => {
    await engine.write((tx) => transactions.insert(tx, transaction))
  },
  between: (from, to) =>
    engine.read((tx) =>
      transactions.all(
        tx,
        'WHERE happened_at >= $1 AND happened_at < $2 ORDER BY happened_at, transaction_id LIMIT $3',
        [from, to, maxPerDay],
      ),
    ),
})
