import { holdMs } from '../../../src/features/notifications/webhooks/worker.ts'
import { afterEachCommit, type BeginLife } from './life.ts'

interface Sent {
  readonly deliveryId: string
  readonly webhookId: string
  readonly attempts: number
}

interface Older {
  readonly eventId: string
  readonly deliveryId: string
}

/** Of the clocks of two gateways. */
const marginMs = 60_000

const selectSent = `SELECT d.delivery_id AS "deliveryId", d.webhook_id AS "webhookId", d.attempts
  FROM webhook_deliveries d JOIN webhooks w ON w.webhook_id = d.webhook_id WHERE d.event_id = $1 AND w.url = $2`

const selectOlder = `SELECT event_id AS "eventId", delivery_id AS "deliveryId" FROM webhook_deliveries
  WHERE webhook_id = $1 AND delivery_id < $2 AND status = 'waiting'
    AND (first_attempt_at IS NULL OR first_attempt_at > $3)`

/** Events arrive in order: for ten minutes an event that fails holds back those after it. */
export const webhooks: BeginLife = ({ world, plan, store, truth }) => {
  const accepted = new Map<string, Set<string>>()
  /** Deliveries in the order of their commits: one with an older id may be committed later. */
  const committed = new Map<string, number>()
  afterEachCommit(store, 'webhook_deliveries', (id) => {
    if (!committed.has(id)) committed.set(id, committed.size)
  })
  truth.onWebhook = (url, eventId, isAccepted) => {
    const before = accepted.get(url) ?? new Set()
    accepted.set(url, before)
    const sent = store.db.get<Sent>(selectSent, [eventId, url])
    // One that is retried for longer is not held back itself.
    if (sent && sent.attempts <= 1 && !plan.faults.has('clock-jump')) {
      const since = Math.floor(world.outside.now() - holdMs + marginMs)
      const older = store.db.all<Older>(selectOlder, [sent.webhookId, sent.deliveryId, since])
      const isFirst = (id: string) => committed.get(id)! < committed.get(sent.deliveryId)!
      const held = older.find(({ eventId: other, deliveryId }) => !before.has(other) && isFirst(deliveryId))
      if (held) world.fail(`the event ${eventId} was sent to ${url} before ${held.eventId}`)
    }
    if (isAccepted) before.add(eventId)
  }
  return {}
}
