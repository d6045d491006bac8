import type { DeliveryType } from '../contract/console/webhooks.ts'
import { newSortableId } from '../contract/ids.ts'
import type { DeliveryRow } from './ports.ts'

/** An event in the form that is sent. */
export interface SentEvent {
  readonly id: string
  readonly type: DeliveryType
  readonly at: string
  readonly projectId: string
  readonly data: object
}

export interface NewDelivery {
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
})
