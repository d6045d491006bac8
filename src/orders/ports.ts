import type { OrderState } from '../ledger/commands.ts'

export type OrderRow = OrderState

export interface OrderStore {
  read<T>(work: (tx: OrderReader) => Promise<T>): Promise<T>
  write<T>(work: (tx: OrderWriter) => Promise<T>): Promise<T>
}

export interface OrderReader {
  /** Newest first. */
  recent(projectId: string, limit: number): Promise<OrderRow[]>
}

export interface OrderWriter extends OrderReader {
  /** Inserts the order, or returns the one that already has this Idempotency-Key. */
  insertOrFind(row: OrderRow & { idempotencyDigest: string }): Promise<OrderRow>
}
