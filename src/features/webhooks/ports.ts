import type { Sealed } from '../../base/keyring.ts'
import type { EventType } from '../../contract/events.ts'
import type { MessageRow } from '../messages/message.ts'
import type { DeliveryFault, DeliveryState, DeliveryType, DisabledReason, WebhookState } from './contract.ts'

/** A webhook as the store keeps it; its secrets are sealed. */
export interface WebhookRow extends Sealed {
  readonly webhookId: string
  readonly projectId: string
  readonly url: string
  readonly types: readonly EventType[]
  readonly state: WebhookState
  readonly disabledReason: DisabledReason | null
  readonly disabledAt: number | null
  readonly createdAt: number
}

/** One event on its way to one webhook. */
export interface DeliveryRow {
  readonly deliveryId: string
  readonly webhookId: string
  readonly eventId: string
  readonly type: DeliveryType
  /** What is sent, in JSON. */
  readonly body: string
  readonly status: DeliveryState
  /** Whether later deliveries of the webhook wait for this one. */
  readonly isHolding: boolean
  readonly attempts: number
  readonly createdAt: number
  readonly firstAttemptAt: number | null
  readonly lastAttemptAt: number | null
  /** Null once it was delivered or given up. */
  readonly nextAttemptAt: number | null
  readonly answerStatus: number | null
  readonly answerMs: number | null
  readonly fault: DeliveryFault | null
}

export interface WebhookStore extends DeliveryQueue {
  read<T>(work: (tx: WebhookReader) => Promise<T>): Promise<T>
  write<T>(work: (tx: WebhookWriter) => Promise<T>): Promise<T>
}

export interface WebhookReader {
  /** Oldest first. */
  webhooksOf(projectId: string): Promise<WebhookRow[]>
  find(projectId: string, webhookId: string): Promise<WebhookRow | undefined>
  /** Newest first. */
  deliveriesOf(webhookId: string, limit: number): Promise<DeliveryRow[]>
  delivery(webhookId: string, deliveryId: string): Promise<DeliveryRow | undefined>
}

export interface WebhookWriter extends WebhookReader {
  /** Locks the project against new webhooks until this write ends. */
  lockProject(projectId: string): Promise<void>
  /** Finds a webhook and locks it against the worker until this write ends. */
  lock(projectId: string, webhookId: string): Promise<WebhookRow | undefined>
  insert(row: WebhookRow): Promise<void>
  change(row: WebhookRow): Promise<void>
  /** Waiting deliveries are due at once, with all their attempts before them. */
  restartDeliveries(webhookId: string, now: number): Promise<void>
  /** With its deliveries. */
  remove(webhookId: string): Promise<void>
  /** Adds a delivery that no other one holds back. */
  addDelivery(row: DeliveryRow): Promise<void>
  /** Tests that were not sent yet. */
  countWaitingTests(webhookId: string): Promise<number>
}

export interface DeliveryClaim {
  /** The instance. */
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
  /** To the owner. */
  readonly messages: readonly MessageRow[]
}

export interface EndedAttempt {
  /** The instance. */
  readonly by: string
  readonly at: number
  /** The delivery after the attempt. */
  readonly delivery: DeliveryRow
  readonly disabling: Disabling | null
}

export interface DeliveryQueue {
  /** Cheap: whether anything can be claimed. */
  hasDue(now: number): Promise<boolean>
  /**
   * Claims due webhooks, and of each the delivery whose turn it is: at most `slotsPerProject` of a project over all instances, and
   * first of the projects with the fewest under way, then of those served longest ago. Of two instances at most one gets a webhook.
   */
  claim(claim: DeliveryClaim): Promise<ClaimedDelivery[]>
  /**
   * Stores how an attempt ended, ends the claim and deletes what is no longer shown. Does nothing if another instance has claimed
   * the webhook meanwhile. Returns how many deliveries wait, at most `maxWaiting`.
   */
  finish(claimed: ClaimedDelivery, attempt: EndedAttempt): Promise<number>
  /** Sends nothing more until the owner enables it. Does nothing if it is disabled already. */
  disable(webhookId: string, disabling: Disabling): Promise<void>
  countWaiting(): Promise<number>
}

/** Where events are taken in, in the transaction that dispatches them. */
export interface DeliveryInbox {
  /** In the order of their ids, so that two transactions lock them in the same order. */
  enabledWebhooks(projectIds: readonly string[]): Promise<WebhookRow[]>
  /** Locks the webhook and makes it due. Returns how many more deliveries it may have. */
  open(webhookId: string, now: number): Promise<number>
  add(rows: readonly DeliveryRow[]): Promise<void>
}

/** With this many waiting deliveries, a webhook gets no further ones and is disabled. */
export const maxWaiting = 5000

/** Attempts of one project that may be under way, so that its dead endpoints cannot take the slots of all others. */
export const slotsPerProject = 4
