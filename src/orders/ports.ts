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
  /** Inserts the order, or answers the one that the key is already bound to. */
  insertOrFind(row: OrderRow & { idempotencyDigest: string }): Promise<OrderRow>
}
