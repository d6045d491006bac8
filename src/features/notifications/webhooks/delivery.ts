import { newSortableId } from '../../../base/ids.ts'
import type { Keyring, Sealed } from '../../../base/keyring.ts'
import { randomBytes } from '../../../base/randomness.ts'
import { type DeliveryType, previousSecretHours } from './contract.ts'
import type { DeliveryRow } from './store.ts'

interface SentEvent {
  readonly id: string
  readonly type: DeliveryType
  readonly at: string
  readonly projectId: string
  readonly data: object
}

interface NewDelivery {
  readonly webhookId: string
  readonly event: SentEvent
  readonly isHolding: boolean
  readonly now: number
}

/** A delivery that is due at once. Deliveries of a webhook are sent in the order of their ids. */
export const newDelivery = ({ webhookId, event, isHolding, now }: NewDelivery): DeliveryRow => ({
  deliveryId: newSortableId('dlv', now),
  webhookId,
  eventId: event.id,
  type: event.type,
  body: JSON.stringify(event),
  status: 'waiting',
  isHolding,
  attempts: 0,
  createdAt: now,
  firstAttemptAt: null,
  lastAttemptAt: null,
  nextAttemptAt: now,
  answerStatus: null,
  answerMs: null,
  fault: null,
  answerBody: null,
})

interface WebhookSecrets {
  readonly current: string
  /** The one before the last rotation, and until when messages are signed with it too. */
  readonly previous?: { readonly secret: string; readonly until: number }
}

/** 24 to 64 bytes, as Standard Webhooks says. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** A secret copied to another webhook does not open there. */
export const webhookContext = (webhookId: string): string => `webhook ${webhookId}`

export const sealSecrets = (keyring: Pick<Keyring, 'seal'>, webhookId: string, secrets: WebhookSecrets): Sealed =>
  keyring.seal(webhookContext(webhookId), JSON.stringify(secrets))

/** Throws `SealUnusable`. */
export const openSecrets = (keyring: Pick<Keyring, 'open'>, row: Sealed & { webhookId: string }): WebhookSecrets =>
  JSON.parse(keyring.open(webhookContext(row.webhookId), row)) as WebhookSecrets

export function rotateSecrets({ current }: WebhookSecrets, now: number) {
  const previous = { secret: current, until: now + previousSecretHours * 3_600_000 }
  return { current: newWebhookSecret(), previous }
}

export const secretsAt = ({ current, previous }: WebhookSecrets, now: number): string[] =>
  previous && now < previous.until ? [current, previous.secret] : [current]
