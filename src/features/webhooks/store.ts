import type { Engine, Reader, Writer } from '../../storage/engine.ts'
import { maxWebhooks, testType } from './contract.ts'
import { createDeliveryQueue } from './delivery-queue.ts'
import type { WebhookReader, WebhookStore, WebhookWriter } from './ports.ts'
import {
  deliveryColumns,
  insertDeliveries,
  type StoredDelivery,
  type StoredWebhook,
  toDelivery,
  toWebhook,
  webhookColumns,
} from './rows.ts'

/** Webhooks as their owner changes them, and the deliveries that the worker claims. */
export const createWebhookStore = (engine: Engine): WebhookStore => ({
  read: (work) => engine.read((tx) => work(reader(tx))),
  write: (work) => engine.write((tx) => work(writer(tx))),
  ...createDeliveryQueue(engine),
})

function reader(tx: Reader): WebhookReader {
  return {
    webhooksOf: async (projectId) => {
      const rows = await tx.all<StoredWebhook>(
        `SELECT ${webhookColumns} FROM webhooks WHERE project_id = $1 ORDER BY webhook_id LIMIT ${maxWebhooks}`,
        [projectId],
      )
      return rows.map(toWebhook)
    },
    find: async (projectId, webhookId) => {
      const row = await tx.get<StoredWebhook>(
        `SELECT ${webhookColumns} FROM webhooks WHERE webhook_id = $1 AND project_id = $2`,
        [webhookId, projectId],
      )
      return row && toWebhook(row)
    },
    deliveriesOf: async (webhookId, limit) => {
      const rows = await tx.all<StoredDelivery>(
        `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY delivery_id DESC LIMIT $2`,
        [webhookId, limit],
      )
      return rows.map(toDelivery)
    },
    delivery: async (webhookId, deliveryId) => {
      const row = await tx.get<StoredDelivery>(
        `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE delivery_id = $1 AND webhook_id = $2`,
        [deliveryId, webhookId],
      )
      return row && toDelivery(row)
    },
  }
}

function writer(tx: Writer): WebhookWriter {
  // While an instance sends to the webhook, its claim decides when it is due.
  const bringForward = (webhookId: string, now: number) =>
    tx.run(
      `UPDATE webhooks SET next_attempt_at = $2
      WHERE webhook_id = $1 AND claimed_by IS NULL AND (next_attempt_at IS NULL OR next_attempt_at > $2)`,
      [webhookId, now],
    )
  return {
    ...reader(tx),
    // Updates that change nothing, but lock the row.
    lockProject: async (projectId) => {
      await tx.run('UPDATE projects SET name = name WHERE project_id = $1', [projectId])
    },
    lock: async (projectId, webhookId) => {
      const row = await tx.get<StoredWebhook>(
        `UPDATE webhooks SET url = url WHERE webhook_id = $1 AND project_id = $2 RETURNING ${webhookColumns}`,
        [webhookId, projectId],
      )
      return row && toWebhook(row)
    },
    insert: async ({ webhookId, projectId, url, types, sealed, keyVersion, state, createdAt }) => {
      await tx.run(
        `INSERT INTO webhooks (webhook_id, project_id, url, types, sealed, key_version, state, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [webhookId, projectId, url, types.join(' '), sealed, keyVersion, state, createdAt],
      )
    },
    change: async ({ webhookId, url, types, sealed, keyVersion, state, disabledReason, disabledAt }) => {
      await tx.run(
        `UPDATE webhooks SET url = $2, types = $3, sealed = $4, key_version = $5, state = $6, disabled_reason = $7,
          disabled_at = $8 WHERE webhook_id = $1`,
        [webhookId, url, types.join(' '), sealed, keyVersion, state, disabledReason, disabledAt],
      )
    },
    restartDeliveries: async (webhookId, now) => {
      const restarted = await tx.run(
        `UPDATE webhook_deliveries SET attempts = 0, first_attempt_at = NULL, next_attempt_at = $2
        WHERE webhook_id = $1 AND status = 'waiting'`,
        [webhookId, now],
      )
      if (restarted > 0) await bringForward(webhookId, now)
    },
    remove: async (webhookId) => {
      await tx.run('DELETE FROM webhook_deliveries WHERE webhook_id = $1', [webhookId])
      await tx.run('DELETE FROM webhooks WHERE webhook_id = $1', [webhookId])
    },
    addDelivery: async (row) => {
      await insertDeliveries(tx, [row])
      await bringForward(row.webhookId, row.createdAt)
    },
    countWaitingTests: async (webhookId) => {
      const row = await tx.get<{ waiting: number }>(
        `SELECT COUNT(*) AS waiting FROM webhook_deliveries
        WHERE webhook_id = $1 AND status = 'waiting' AND is_holding = 0 AND type = $2`,
        [webhookId, testType],
      )
      return row!.waiting
    },
  }
}
