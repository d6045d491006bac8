import type { Engine, Writer } from '../../storage/engine.ts'
import { placeholders } from '../../storage/sql-text.ts'
import { addMessage } from '../messages/store.ts'
import { shownDeliveries } from './contract.ts'
import {
  type ClaimedDelivery,
  type DeliveryInbox,
  type DeliveryQueue,
  type DeliveryRow,
  type Disabling,
  maxWaiting,
  slotsPerProject,
} from './ports.ts'
import { countWaiting, insertDeliveries, nextDelivery, type StoredWebhook, toWebhook, webhookColumns } from './rows.ts'

/** Claims of webhooks, as the messages have them: the claim is `claimed_by`, and `next_attempt_at` is its end. */
export function createDeliveryQueue(engine: Engine): DeliveryQueue {
  return {
    hasDue: (now) =>
      engine.read(async (tx) => (await tx.get(`SELECT 1 AS found ${dueWebhooks} LIMIT 1`, [now])) !== undefined),
    claim: ({ by, now, until, limit }) =>
      engine.write(async (tx) => {
        const webhooks = await tx.all<ClaimedDelivery['webhook']>(claimDue, [now, by, until, limit])
        const claimed: ClaimedDelivery[] = []
        for (const webhook of webhooks) {
          const delivery = await nextDelivery(tx, webhook.webhookId)
          if (delivery && delivery.nextAttemptAt! <= now) {
            claimed.push({ webhook, delivery: await countAttempt(tx, delivery, now) })
          } else {
            await release(tx, webhook.webhookId, delivery, now)
          }
        }
        return claimed
      }),
    finish: ({ webhook: { webhookId }, delivery }, { by, at, delivery: ended, disabling }) =>
      engine.write(async (tx) => {
        const isClaimed = await tx.run(
          'UPDATE webhooks SET claimed_by = NULL WHERE webhook_id = $1 AND claimed_by = $2',
          [webhookId, by],
        )
        if (isClaimed === 0) return 0
        await save(tx, ended, delivery.attempts)
        if (disabling) await disable(tx, webhookId, disabling)
        await release(tx, webhookId, await nextDelivery(tx, webhookId), at)
        await tx.run(forgetOld, [webhookId])
        return countWaiting(tx, webhookId)
      }),
    disable: (webhookId, disabling) => engine.write((tx) => disable(tx, webhookId, disabling)),
    countWaiting: () =>
      engine.read(
        async (tx) =>
          (await tx.get<{ waiting: number }>(
            "SELECT COUNT(*) AS waiting FROM webhook_deliveries WHERE status = 'waiting'",
          ))!.waiting,
      ),
  }
}

const dueWebhooks = "FROM webhooks WHERE state = 'enabled' AND next_attempt_at <= $1"

/** Of more due webhooks, the oldest: a bound on the work of one claim. */
const maxCandidates = 1000

/** Each due webhook with the slot of its project that it would take, counted from 1. */
const candidates = `WITH
  due AS (SELECT webhook_id, project_id, next_attempt_at ${dueWebhooks} ORDER BY next_attempt_at LIMIT ${maxCandidates}),
  projects AS (SELECT project_id, COALESCE(MAX(served_at), 0) AS served_at,
      COUNT(CASE WHEN claimed_by IS NOT NULL AND next_attempt_at > $1 THEN 1 END) AS sending
    FROM webhooks WHERE project_id IN (SELECT project_id FROM due) GROUP BY project_id)
  SELECT webhook_id, next_attempt_at, served_at,
    sending + ROW_NUMBER() OVER (PARTITION BY due.project_id ORDER BY next_attempt_at, webhook_id) AS slot
  FROM due JOIN projects ON projects.project_id = due.project_id`

/** Repeated outside: for a webhook claimed meanwhile, PostgreSQL rechecks only the outer condition. */
const claimDue = `UPDATE webhooks SET claimed_by = $2, next_attempt_at = $3, served_at = $1
  WHERE webhook_id IN (SELECT webhook_id FROM (${candidates}) AS candidates WHERE slot <= ${slotsPerProject}
    ORDER BY slot, served_at, next_attempt_at LIMIT $4)
  AND state = 'enabled' AND next_attempt_at <= $1
  RETURNING webhook_id AS "webhookId", project_id AS "projectId", url, sealed, key_version AS "keyVersion"`

/** Counted before it is made, so that a delivery that ends the process backs off too. */
async function countAttempt(tx: Writer, row: DeliveryRow, now: number): Promise<ClaimedDelivery['delivery']> {
  const delivery = {
    ...row,
    attempts: row.attempts + 1,
    firstAttemptAt: row.firstAttemptAt ?? now,
    lastAttemptAt: now,
  }
  await tx.run(
    'UPDATE webhook_deliveries SET attempts = $2, first_attempt_at = $3, last_attempt_at = $4 WHERE delivery_id = $1',
    [delivery.deliveryId, delivery.attempts, delivery.firstAttemptAt, now],
  )
  return delivery
}

/** What has waited for long is due now, not before: the webhook goes to the end of the queue. */
async function release(tx: Writer, webhookId: string, next: DeliveryRow | undefined, now: number): Promise<void> {
  await tx.run('UPDATE webhooks SET claimed_by = NULL, next_attempt_at = $2 WHERE webhook_id = $1', [
    webhookId,
    next === undefined ? null : Math.max(now, next.nextAttemptAt!),
  ])
}

/** Does nothing if the delivery was restarted meanwhile. */
async function save(tx: Writer, ended: DeliveryRow, attempts: number): Promise<void> {
  await tx.run(
    `UPDATE webhook_deliveries SET status = $3, is_holding = $4, next_attempt_at = $5, answer_status = $6, answer_ms = $7,
      fault = $8 WHERE delivery_id = $1 AND attempts = $2 AND status = 'waiting'`,
    [
      ended.deliveryId,
      attempts,
      ended.status,
      Number(ended.isHolding),
      ended.nextAttemptAt,
      ended.answerStatus,
      ended.answerMs,
      ended.fault,
    ],
  )
}

async function disable(tx: Writer, webhookId: string, { reason, at, messages }: Disabling): Promise<void> {
  const disabled = await tx.run(
    `UPDATE webhooks SET state = 'disabled', disabled_reason = $2, disabled_at = $3
    WHERE webhook_id = $1 AND state = 'enabled'`,
    [webhookId, reason, at],
  )
  if (disabled === 1) for (const message of messages) await addMessage(tx, message)
}

/** What waits is never deleted. */
const forgetOld = `DELETE FROM webhook_deliveries WHERE webhook_id = $1 AND status <> 'waiting' AND delivery_id < (
    SELECT delivery_id FROM webhook_deliveries WHERE webhook_id = $1
    ORDER BY delivery_id DESC LIMIT 1 OFFSET ${shownDeliveries - 1})`

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
