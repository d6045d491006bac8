import type { Keyring } from '../../../base/keyring.ts'
import { signedHeaders } from '../../../base/signatures.ts'
import { sometimes } from '../../../base/sometimes.ts'
import { dayMs, hourMs, minuteMs } from '../../../base/time.ts'
import { createWorkLoop } from '../../../base/work-loop.ts'
import { type ProjectEvent, shownEvent } from '../../../ledger/events.ts'
import type { FeatureContext } from '../../../ops/feature.ts'
import type { Writer } from '../../../storage/engine.ts'
import type { MessageRow } from '../../identity/messages/message.ts'
import { type DisabledReason, testType } from './contract.ts'
import { newDelivery, openSecrets, secretsAt } from './delivery.ts'
import type { ClaimedDelivery, DeliveryQueue, Disabling } from './delivery-queue.ts'
import { type Attempt, sendTimeoutMs, type WebhookRequest } from './send.ts'
import { addDeliveries, type DeliveryRow, enabledWebhooks, maxWaiting, openWebhook } from './store.ts'

type NextAttempt =
  | { readonly kind: 'retry'; readonly at: number; readonly isHolding: boolean }
  /** The event is not retried. */
  | { readonly kind: 'giveUp' }

interface FailedAttempt {
  /** Counts this one. */
  readonly attempts: number
  readonly firstAttemptAt: number
  readonly now: number
  /** From 0 to 1. */
  readonly random: number
}

export const giveUpMs = 3 * dayMs
/** How long a failing event holds back the later ones of its endpoint: as long as a restart of the endpoint may take. */
export const holdMs = 10 * minuteMs

const secondMs = 1000

/** About 5 s, 30 s, 2, 5, 10 and 30 min, 1, 2, 4 and 8 h after the first attempt, then every 4 h. */
const waitsMs = [
  5 * secondMs,
  25 * secondMs,
  1.5 * minuteMs,
  3 * minuteMs,
  5 * minuteMs,
  20 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
]

/** Waits are 20 % shorter or longer at random, so that endpoints that failed together are not retried together. */
export function nextAttempt({ attempts, firstAttemptAt, now, random }: FailedAttempt): NextAttempt {
  const lastAt = firstAttemptAt + giveUpMs
  if (now >= lastAt) return { kind: 'giveUp' }
  const waitMs = waitsMs[Math.min(attempts, waitsMs.length) - 1]! * (0.8 + 0.4 * random)
  return { kind: 'retry', at: Math.min(now + Math.round(waitMs), lastAt), isHolding: now - firstAttemptAt < holdMs }
}

export interface WebhookWorkerDeps extends Pick<FeatureContext, 'clock' | 'instanceId'> {
  readonly queue: DeliveryQueue
  readonly keyring: Pick<Keyring, 'open'>
  /** Never rejects. */
  readonly send: (request: WebhookRequest) => Promise<Attempt>
  /** Messages that notify the owner of a project that a webhook was disabled. */
  readonly noticesFor: (projectId: string) => Promise<readonly MessageRow[]>
  readonly random: () => number
  readonly observer: DeliveryObserver
  /** The store failed. Reported once until it works again. */
  readonly onStoreFault: (error: unknown) => void
}

export interface DeliveryObserver {
  readonly attempted: (claimed: ClaimedDelivery, attempt: Attempt) => void
  readonly disabled: (claimed: ClaimedDelivery, reason: DisabledReason) => void
}

/** Makes one attempt for a claimed delivery. Rejects only if the store or the secrets fail; then the claim expires. */
function createDeliver({ queue, keyring, send, noticesFor, instanceId, clock, random, observer }: WebhookWorkerDeps) {
  const disabling = async ({ webhook }: ClaimedDelivery, reason: DisabledReason): Promise<Disabling> => ({
    reason,
    at: clock(),
    messages: await noticesFor(webhook.projectId),
  })

  return async (claimed: ClaimedDelivery, claimedUntil: number): Promise<void> => {
    const { webhook, delivery } = claimed
    // After a long pause, another instance may send it before this attempt would end.
    if (sometimes('the claim on a webhook delivery is too old', clock() + sendTimeoutMs > claimedUntil)) return
    const attempt = await send(requestOf(claimed, keyring, clock()))
    observer.attempted(claimed, attempt)
    const at = clock()
    const ended = afterAttempt(delivery, attempt, at, random())
    const isGivenUp = ended.status === 'failed' && delivery.type !== testType
    const waiting = await queue.finish(claimed, {
      by: instanceId,
      at,
      delivery: ended,
      disabling: isGivenUp ? await disabling(claimed, 'failing') : null,
    })
    if (isGivenUp) return observer.disabled(claimed, 'failing')
    if (waiting < maxWaiting) return
    await queue.disable(webhook.webhookId, await disabling(claimed, 'backlog'))
    observer.disabled(claimed, 'backlog')
  }
}

function requestOf(
  { webhook, delivery }: ClaimedDelivery,
  keyring: Pick<Keyring, 'open'>,
  now: number,
): WebhookRequest {
  const { eventId: id, body } = delivery
  const secrets = secretsAt(openSecrets(keyring, webhook), now)
  return {
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'api-relay-gateway-webhooks/1',
      ...signedHeaders({ secrets, id, timestamp: Math.floor(now / 1000), body }),
    },
    body,
  }
}

/** The delivery as it is after an attempt. A test is tried once. */
function afterAttempt(
  delivery: ClaimedDelivery['delivery'],
  { fault, answerStatus, answerMs, answerBody }: Attempt,
  now: number,
  random: number,
): DeliveryRow {
  const tried = { ...delivery, fault, answerStatus, answerMs, answerBody, nextAttemptAt: null }
  if (fault === null) return { ...tried, status: 'delivered' }
  const next = delivery.type === testType ? null : nextAttempt({ ...delivery, now, random })
  return next?.kind === 'retry'
    ? { ...tried, nextAttemptAt: next.at, isHolding: delivery.isHolding && next.isHolding }
    : { ...tried, status: 'failed' }
}

const maxSending = 32
/** Longer than an attempt, and than the clocks of two instances differ. */
const claimMs = 30_000

/** Sends the events of webhooks, at least once each and one at a time for each webhook. */
export function createWebhookWorker(deps: WebhookWorkerDeps) {
  const { queue, clock, instanceId: by } = deps
  const deliver = createDeliver(deps)
  const loop = createWorkLoop({ beginDue, onFault: deps.onStoreFault })

  async function beginDue(): Promise<boolean> {
    const limit = maxSending - loop.underWay()
    // With all slots taken, the next attempt that ends checks again.
    if (limit === 0 || !(await queue.hasDue(clock())) || loop.isStopping()) return false
    const now = clock()
    const until = now + claimMs
    for (const claimed of await queue.claim({ by, now, until, limit })) loop.begin(deliver(claimed, until))
    return false
  }

  return loop
}

/** Queues each event for the webhooks that want it. A webhook with too many waiting deliveries gets none; the worker disables it. */
export async function receiveEvents(tx: Writer, events: readonly ProjectEvent[], clock: () => number): Promise<void> {
  const projectIds = [...new Set(events.map(({ projectId }) => projectId))]
  for (const { webhookId, projectId, types } of await enabledWebhooks(tx, projectIds)) {
    const wanted = events.filter((event) => event.projectId === projectId && types.includes(event.type))
    if (wanted.length === 0) continue
    const now = clock()
    const room = await openWebhook(tx, webhookId, now)
    const rows = wanted
      .slice(0, room)
      .map((event) => newDelivery({ webhookId, event: shownEvent(event), isHolding: true, now }))
    if (rows.length > 0) await addDeliveries(tx, rows)
  }
}
