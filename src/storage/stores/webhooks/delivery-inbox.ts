import { type DeliveryInbox, maxWaiting } from '../../../webhooks/ports.ts'
import type { Writer } from '../../engine.ts'
import { placeholders } from '../../sql-text.ts'
import { countWaiting, insertDeliveries, type StoredWebhook, toWebhook, webhookColumns } from './rows.ts'

/** Takes events in for the webhooks of their projects, in the transaction that dispatches them. */
export const deliveryInbox = (tx: Writer): DeliveryInbox => ({
  enabledWebhooks: async (projectIds) => {
    const rows = await tx.all<StoredWebhook>(
      `SELECT ${webhookColumns} FROM webhooks
      WHERE project_id IN (${placeholders(projectIds)}) AND state = 'enabled' ORDER BY webhook_id`,
      projectIds,
    )
    return rows.map(toWebhook)
  },
  open: async (webhookId, now) => {
    // Also locks the row: the worker then sees these deliveries when it decides what is next.
    const isEnabled = await tx.run(
      `UPDATE webhooks SET next_attempt_at = COALESCE(next_attempt_at, $2) WHERE webhook_id = $1 AND state = 'enabled'`,
      [webhookId, now],
    )
    return isEnabled === 0 ? 0 : maxWaiting - (await countWaiting(tx, webhookId))
  },
  add: (rows) => insertDeliveries(tx, rows),
})
