import { orderColumns } from '../../storage/books/rows.ts'
import type { Engine, Reader, Writer } from '../../storage/engine.ts'
import type { OrderLister, OrderReader, OrderRow, OrderStore, OrderWriter, ReportedOrder } from './orders.ts'

export function createOrderStore(engine: Engine): OrderStore & OrderLister {
  return {
    orders: (projectId, before, limit) =>
      engine.read((tx) =>
        tx.all<ReportedOrder>(newestOrders, [
          projectId,
          before?.createdAt ?? Number.MAX_SAFE_INTEGER,
          before?.orderId ?? '',
          limit,
        ]),
      ),
    order: (projectId, orderId) => engine.read((tx) => tx.get<ReportedOrder>(oneOrder, [projectId, orderId])),
    read: (work) => engine.read((tx) => work(reader(tx))),
    write: (work) => engine.write((tx) => work(writer(tx))),
  }
}

function reader(tx: Reader): OrderReader {
  return {
    recent: (projectId, limit) =>
      tx.all<OrderRow>(
        `SELECT ${orderColumns} FROM orders WHERE project_id = $1 ORDER BY created_at DESC, order_id DESC LIMIT $2`,
        [projectId, limit],
      ),
  }
}

function writer(tx: Writer): OrderWriter {
  return {
    ...reader(tx),
    insertOrFind: async (row) => {
      await tx.run(
        `INSERT INTO orders (order_id, project_id, idempotency_digest, amount_fen, credit_amount, pricing_version, state, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, 'pending', $7)
        ON CONFLICT (project_id, idempotency_digest) DO NOTHING`,
        [
          row.orderId,
          row.projectId,
          row.idempotencyDigest,
          row.amountFen,
          row.creditAmount,
          row.pricingVersion,
          row.createdAt,
        ],
      )
      const stored = await tx.get<OrderRow>(
        `SELECT ${orderColumns} FROM orders WHERE project_id = $1 AND idempotency_digest = $2`,
        [row.projectId, row.idempotencyDigest],
      )
      return stored!
    },
  }
}

const newestOrders = `SELECT ${orderColumns} FROM orders WHERE project_id = $1 AND (created_at, order_id) < ($2, $3)
  ORDER BY created_at DESC, order_id DESC LIMIT $4`

const oneOrder = `SELECT ${orderColumns} FROM orders WHERE order_id = $2 AND project_id = $1`
