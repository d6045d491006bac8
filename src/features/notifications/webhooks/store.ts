import { sortableIdFloor } from '../../../base/ids.ts'
import { minuteMs } from '../../../base/time.ts'
import type { EventType } from '../../../contract/events.ts'
import type { Reader, Writer } from '../../../storage/engine.ts'
import { flag, from, integer, orNull, pick, type RowOf, rowMapper, text, words } from '../../../storage/row-mapper.ts'
import { placeholders } from '../../../storage/sql-text.ts'
import {
  type DeliveryFault,
  type DeliveryState,
  type DeliveryType,
  type DisabledReason,
  maxWebhooks,
  shownDeliveries,
  testType,
  type WebhookState,
} from './contract.ts'

/** With this many waiting deliveries, a webhook gets no further ones and is disabled. */
export const maxWaiting = 5000

/** Its secrets are sealed. */
export const webhooks = rowMapper('webhooks', {
  webhookId: text(),
  projectId: text(),
  url: text(),
  types: words<EventType>(),
  sealed: text(),
  keyVersion: text(),
  state: text<WebhookState>(),
  disabledReason: orNull(text<DisabledReason>()),
  disabledAt: orNull(integer()),
  createdAt: integer(),
})
export type WebhookRow = RowOf<typeof webhooks.columns>

export const deliveries = rowMapper('webhook_deliveries', {
  deliveryId: text(),
  webhookId: text(),
  eventId: text(),
  type: text<DeliveryType>(),
  /** What is sent, in JSON. */
  body: text(),
  status: text<DeliveryState>(),
  /** Whether later deliveries of the webhook wait for this one. */
  isHolding: flag(),
  attempts: integer(),
  createdAt: integer(),
  firstAttemptAt: orNull(integer()),
  lastAttemptAt: orNull(integer()),
  /** Null once it was delivered or given up. */
  nextAttemptAt: orNull(integer()),
  answerStatus: orNull(integer()),
  answerMs: orNull(integer()),
  fault: orNull(text<DeliveryFault>()),
  /** The start of the last response. */
  answerBody: orNull(text()),
})
export type DeliveryRow = RowOf<typeof deliveries.columns>

/** Oldest first. */
export const webhooksOf = (tx: Reader, projectId: string) =>
  webhooks.all(tx, `WHERE project_id = $1 ORDER BY webhook_id LIMIT ${maxWebhooks}`, [projectId])

export const findWebhook = (tx: Reader, projectId: string, webhookId: string) =>
  webhooks.get(tx, 'WHERE webhook_id = $1 AND project_id = $2', [webhookId, projectId])

/** Finds a webhook and locks it against the worker until this write ends. */
export async function lockWebhook(tx: Writer, projectId: string, webhookId: string): Promise<WebhookRow | undefined> {
  const row = await tx.get(
    `UPDATE webhooks SET url = url WHERE webhook_id = $1 AND project_id = $2 RETURNING ${webhooks.list}`,
    [webhookId, projectId],
  )
  return row && webhooks.decode(row)
}

export const insertWebhook = (tx: Writer, row: WebhookRow) => webhooks.insert(tx, row)

export const changeWebhook = (tx: Writer, { webhookId, projectId: _, createdAt: __, ...changes }: WebhookRow) =>
  webhooks.update(tx, changes, 'webhook_id = $1', [webhookId])

/** With its deliveries. */
export async function removeWebhook(tx: Writer, webhookId: string): Promise<void> {
  await tx.run('DELETE FROM webhook_deliveries WHERE webhook_id = $1', [webhookId])
  await tx.run('DELETE FROM webhooks WHERE webhook_id = $1', [webhookId])
}

/** The newest first. */
export const lastDeliveries = (tx: Reader, webhookId: string, limit = shownDeliveries) =>
  deliveries.all(tx, 'WHERE webhook_id = $1 ORDER BY delivery_id DESC LIMIT $2', [webhookId, limit])

export const findDelivery = (tx: Reader, webhookId: string, deliveryId: string) =>
  deliveries.get(tx, 'WHERE delivery_id = $1 AND webhook_id = $2', [deliveryId, webhookId])

/** Adds a delivery that no other one holds back. */
export async function addDelivery(tx: Writer, row: DeliveryRow): Promise<void> {
  await deliveries.insert(tx, row)
  await bringForward(tx, row.webhookId, row.createdAt)
}

/** Waiting deliveries are due at once, with all their attempts before them. */
export async function restartDeliveries(tx: Writer, webhookId: string, now: number): Promise<void> {
  const restart = { attempts: 0, firstAttemptAt: null, nextAttemptAt: now }
  const restarted = await deliveries.update(tx, restart, "webhook_id = $1 AND status = 'waiting'", [webhookId])
  if (restarted > 0) await bringForward(tx, webhookId, now)
}

/** While an instance sends to the webhook, its claim decides when it is due. */
const bringForward = (tx: Writer, webhookId: string, now: number) =>
  tx.run(
    `UPDATE webhooks SET next_attempt_at = $2
    WHERE webhook_id = $1 AND claimed_by IS NULL AND (next_attempt_at IS NULL OR next_attempt_at > $2)`,
    [webhookId, now],
  )

export async function countWaitingTests(tx: Reader, webhookId: string): Promise<number> {
  const row = await tx.get<{ waiting: number }>(
    `SELECT COUNT(*) AS waiting FROM webhook_deliveries
    WHERE webhook_id = $1 AND status = 'waiting' AND is_holding = 0 AND type = $2`,
    [webhookId, testType],
  )
  return row!.waiting
}

/** Takes events in, in the transaction that dispatches them: the webhooks of their projects that are enabled. */
export const enabledWebhooks = (tx: Reader, projectIds: readonly string[]) =>
  webhooks.all(
    tx,
    // In the order of their ids, so that two transactions lock them in the same order.
    `WHERE project_id IN (${placeholders(projectIds)}) AND state = 'enabled' ORDER BY webhook_id`,
    projectIds,
  )

/** Locks the webhook and makes it due. Returns how many more deliveries it may have. */
export async function openWebhook(tx: Writer, webhookId: string, now: number): Promise<number> {
  // Also locks the row: the worker then sees these deliveries when it decides what is next.
  const isEnabled = await tx.run(
    `UPDATE webhooks SET next_attempt_at = COALESCE(next_attempt_at, $2) WHERE webhook_id = $1 AND state = 'enabled'`,
    [webhookId, now],
  )
  return isEnabled === 0 ? 0 : maxWaiting - (await countWaiting(tx, webhookId))
}

export const addDeliveries = deliveries.insertAll

/** At most `maxWaiting`. */
export async function countWaiting(tx: Reader, webhookId: string): Promise<number> {
  const row = await tx.get<{ waiting: number }>(
    `SELECT COUNT(*) AS waiting FROM (SELECT 1 AS found FROM webhook_deliveries
      WHERE webhook_id = $1 AND status = 'waiting' LIMIT ${maxWaiting}) AS waiting`,
    [webhookId],
  )
  return row!.waiting
}

const sent = rowMapper('webhooks w CROSS JOIN webhook_deliveries d', {
  ...from('d', {
    ...pick(deliveries.columns, 'eventId', 'webhookId', 'status', 'attempts', 'lastAttemptAt', 'answerStatus', 'fault'),
  }),
})

/** Deliveries of a project's events, the oldest first. They are found by their webhooks, from the time of the first event on. */
export async function deliveriesOfEvents(
  tx: Reader,
  projectId: string,
  events: readonly { readonly id: string; readonly at: number }[],
) {
  const [first] = events
  if (!first) return []
  const since = sortableIdFloor('dlv', first.at - minuteMs)
  return sent.all(
    tx,
    `WHERE w.project_id = $1 AND d.webhook_id = w.webhook_id AND d.delivery_id >= $2
      AND d.event_id IN (${placeholders(events, 4)}) ORDER BY d.delivery_id LIMIT $3`,
    [projectId, since, 10 * maxWebhooks, ...events.map(({ id }) => id)],
  )
}
