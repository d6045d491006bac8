import { claimQueue } from '../../../storage/claim-queue.ts'
import type { Engine, Reader, Writer } from '../../../storage/engine.ts'
import type { MessageRow } from '../../identity/messages/message.ts'
import { addMessage } from '../../identity/messages/store.ts'
import { type DisabledReason, shownDeliveries } from './contract.ts'
import { countWaiting, type DeliveryRow, deliveries, type WebhookRow, webhooks } from './store.ts'

/** Attempts of one project that may be in progress, so that its dead endpoints cannot take the slots of all others. */
const slotsPerProject = 4

export interface DeliveryClaim {
  readonly by: string
  readonly now: number
  /** When others may send the delivery again. */
  readonly until: number
  readonly limit: number
}

/** A delivery, of a webhook that only one instance may send to until its claim ends. */
export interface ClaimedDelivery {
  readonly webhook: Pick<WebhookRow, 'webhookId' | 'projectId' | 'url' | 'sealed' | 'keyVersion'>
  /** Its attempts count this one. */
  readonly delivery: DeliveryRow & { readonly firstAttemptAt: number }
}

export interface Disabling {
  readonly reason: DisabledReason
  readonly at: number
  readonly messages: readonly MessageRow[]
}

interface EndedAttempt {
  readonly by: string
  readonly at: number
  readonly delivery: DeliveryRow
  readonly disabling: Disabling | null
}

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>

export const createDeliveryQueue = (engine: Engine) => ({
  hasDue: (now: number) => engine.read((tx) => queue.hasDue(tx, now)),
  /**
   * Claims due webhooks, and of each the delivery whose turn it is: at most `slotsPerProject` of a project over all instances, and
   * first of the projects with the fewest in progress, then of those served longest ago.
   */
  claim: ({ by, now, until, limit }: DeliveryClaim): Promise<ClaimedDelivery[]> =>
    engine.write(async (tx) => {
      const claimed: ClaimedDelivery[] = []
      for (const webhook of await tx.all<ClaimedDelivery['webhook']>(claimDue, [now, by, until, limit])) {
        const delivery = await nextDelivery(tx, webhook.webhookId)
        if (delivery && delivery.nextAttemptAt! <= now) {
          claimed.push({ webhook, delivery: await countAttempt(tx, delivery, now) })
        } else {
          await release(tx, webhook.webhookId, delivery, now)
        }
      }
      return claimed
    }),
  /**
   * Stores how an attempt ended, ends the claim and deletes what is no longer shown. Does nothing if another instance has claimed
   * the webhook since. Returns how many deliveries wait, at most `maxWaiting`.
   */
  finish: ({ webhook: { webhookId }, delivery }: ClaimedDelivery, attempt: EndedAttempt): Promise<number> =>
    engine.write(async (tx) => {
      if ((await queue.change(tx, 'claimed_by = NULL', attempt.by, [webhookId])) === 0) return 0
      const { deliveryId, status, isHolding, nextAttemptAt, answerStatus, answerMs, fault, answerBody } =
        attempt.delivery
      const ended = { status, isHolding, nextAttemptAt, answerStatus, answerMs, fault, answerBody }
      // Not if the delivery was restarted since.
      const isSame = "delivery_id = $1 AND attempts = $2 AND status = 'waiting'"
      await deliveries.update(tx, ended, isSame, [deliveryId, delivery.attempts])
      if (attempt.disabling) await disable(tx, webhookId, attempt.disabling)
      await release(tx, webhookId, await nextDelivery(tx, webhookId), attempt.at)
      await tx.run(forgetOld, [webhookId])
      return countWaiting(tx, webhookId)
    }),
  /** Sends nothing more until the owner enables it. Does nothing if it is disabled already. */
  disable: (webhookId: string, disabling: Disabling) => engine.write((tx) => disable(tx, webhookId, disabling)),
  countWaiting: (): Promise<number> =>
    engine.read(async (tx) => {
      const counted = "SELECT COUNT(*) AS waiting FROM webhook_deliveries WHERE status = 'waiting'"
      return (await tx.get<{ waiting: number }>(counted))!.waiting
    }),
})

const queue = claimQueue({
  table: 'webhooks',
  id: 'webhook_id',
  dueAt: 'next_attempt_at',
  condition: "state = 'enabled'",
})

/** Of more due webhooks, the oldest: a bound on the work of one claim. */
const maxCandidates = 1000

/** Each due webhook with the slot of its project that it would take, counted from 1. */
const candidates = `WITH
  due AS (SELECT webhook_id, project_id, next_attempt_at FROM webhooks WHERE ${queue.isDue}
    ORDER BY next_attempt_at LIMIT ${maxCandidates}),
  projects AS (SELECT project_id, COALESCE(MAX(served_at), 0) AS served_at,
      COUNT(CASE WHEN claimed_by IS NOT NULL AND next_attempt_at > $1 THEN 1 END) AS sending
    FROM webhooks WHERE project_id IN (SELECT project_id FROM due) GROUP BY project_id)
  SELECT webhook_id, next_attempt_at, served_at,
    sending + ROW_NUMBER() OVER (PARTITION BY due.project_id ORDER BY next_attempt_at, webhook_id) AS slot
  FROM due JOIN projects ON projects.project_id = due.project_id`

const claimDue = queue.claim({
  set: 'claimed_by = $2, next_attempt_at = $3, served_at = $1',
  candidates: `SELECT webhook_id FROM (${candidates}) AS candidates WHERE slot <= ${slotsPerProject}
    ORDER BY slot, served_at, next_attempt_at LIMIT $4`,
  returning: 'webhook_id AS "webhookId", project_id AS "projectId", url, sealed, key_version AS "keyVersion"',
})

/** Counted before it is made, so that a delivery that ends the process backs off too. */
async function countAttempt(tx: Writer, row: DeliveryRow, now: number): Promise<ClaimedDelivery['delivery']> {
  const counted = { attempts: row.attempts + 1, firstAttemptAt: row.firstAttemptAt ?? now, lastAttemptAt: now }
  await deliveries.update(tx, counted, 'delivery_id = $1', [row.deliveryId])
  return { ...row, ...counted }
}

/** What has waited for long is due now, not before: the webhook goes to the end of the queue. */
const release = (tx: Writer, webhookId: string, next: DeliveryRow | undefined, now: number) =>
  tx.run('UPDATE webhooks SET claimed_by = NULL, next_attempt_at = $2 WHERE webhook_id = $1', [
    webhookId,
    next === undefined ? null : Math.max(now, next.nextAttemptAt!),
  ])

async function disable(tx: Writer, webhookId: string, { reason, at, messages }: Disabling): Promise<void> {
  const change = { state: 'disabled', disabledReason: reason, disabledAt: at } as const
  const disabled = await webhooks.update(tx, change, "webhook_id = $1 AND state = 'enabled'", [webhookId])
  if (disabled === 1) for (const message of messages) await addMessage(tx, message)
}

/** What waits is never deleted. */
const forgetOld = `DELETE FROM webhook_deliveries WHERE webhook_id = $1 AND status <> 'waiting' AND delivery_id < (
    SELECT delivery_id FROM webhook_deliveries WHERE webhook_id = $1
    ORDER BY delivery_id DESC LIMIT 1 OFFSET ${shownDeliveries - 1})`

const waiting = `SELECT ${deliveries.list} FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'waiting'`

/** The delivery whose turn it is: the oldest one that holds others back, or one that waits for no other. */
async function nextDelivery(tx: Reader, webhookId: string): Promise<DeliveryRow | undefined> {
  const row = await tx.get(
    `SELECT * FROM (${waiting} AND is_holding = 0
      UNION ALL SELECT * FROM (${waiting} AND is_holding = 1 ORDER BY delivery_id LIMIT 1) AS head) AS candidates
    ORDER BY "nextAttemptAt", "deliveryId" LIMIT 1`,
    [webhookId],
  )
  return row && deliveries.decode(row)
}
