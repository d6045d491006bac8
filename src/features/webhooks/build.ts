import type { Logger } from 'pino'
import type { AppOptions } from '../../app/options.ts'
import type { Keyring } from '../../base/keyring.ts'
import type { Metrics } from '../../ops/metrics.ts'
import type { Writer } from '../../storage/engine.ts'
import type { EventSubscriber } from '../events/ports.ts'
import type { MessageRow } from '../messages/message.ts'
import type { DeliveryObserver } from './deliver.ts'
import { deliveryInbox } from './delivery-queue.ts'
import type { WebhookStore } from './ports.ts'
import { resolveName, sendWebhook } from './send.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'
import { createWebhookWorker, receiveEvents, type WebhookWorker } from './worker.ts'

export interface WebhookParts {
  readonly webhooks: Webhooks
  readonly worker: WebhookWorker
  readonly subscriber: EventSubscriber<Writer>
  readonly registerMetrics: (metrics: Metrics) => void
}

export interface WebhookPartsDeps {
  readonly options: Pick<AppOptions, 'config' | 'logger' | 'webhookNetwork'>
  readonly store: WebhookStore
  readonly keyring: Keyring
  /** Messages that tell the owner of a project that a webhook was disabled. */
  readonly noticesFor: (projectId: string) => Promise<readonly MessageRow[]>
  readonly onNotices: () => void
  readonly instanceId: string
  readonly clock: () => number
}

/** Constructs the webhooks, the worker that sends to them and the subscriber that queues events for them. */
export function buildWebhooks(deps: WebhookPartsDeps): WebhookParts {
  const { options, store, keyring, clock } = deps
  const { config, logger, webhookNetwork } = options
  const allowsLoopback = config.isLoopback
  const counts = { delivered: 0, failed: 0 }
  const worker = createWebhookWorker({
    ...deps,
    queue: store,
    send: (request) => sendWebhook(request, { resolve: resolveName, ...webhookNetwork, allowsLoopback }),
    random: Math.random,
    observer: observe(logger, counts, deps.onNotices),
    onStoreFault: (error) => logger.error({ err: error }, 'the webhook deliveries cannot be read'),
  })
  return {
    webhooks: createWebhooks({ store, keyring, clock, allowsLoopback, wake: worker.wake }),
    worker,
    subscriber: { receive: (tx, events) => receiveEvents(deliveryInbox(tx), events, clock) },
    registerMetrics: (metrics) => {
      metrics.gauge(
        'gateway_webhooks_waiting',
        'Webhook deliveries that wait, across all instances.',
        store.countWaiting,
      )
      metrics.gauge('gateway_webhooks_sending', 'Webhook deliveries that this instance is sending.', worker.underWay)
      const { type, labels } = { type: 'counter', labels: ['result'] } as const
      const help = 'Attempts to deliver to a webhook.'
      metrics.samples({ type, name: 'gateway_webhook_attempts_total', help, labels }, () =>
        Object.entries(counts).map(([result, value]) => ({ labels: { result }, value })),
      )
    },
  }
}

/** A failing endpoint is its owner's business, so it is logged at debug level only. The URL may have secrets in it. */
function observe(
  logger: Logger,
  counts: { delivered: number; failed: number },
  onNotices: () => void,
): DeliveryObserver {
  return {
    attempted: ({ webhook: { webhookId }, delivery: { deliveryId, attempts } }, { fault, answerStatus }) => {
      counts[fault === null ? 'delivered' : 'failed'] += 1
      if (fault)
        logger.debug({ webhookId, deliveryId, attempts, fault, answerStatus }, 'a webhook was not delivered yet')
    },
    disabled: ({ webhook: { webhookId, projectId } }, reason) => {
      logger.warn({ webhookId, projectId, reason }, 'a webhook was disabled')
      onNotices()
    },
  }
}
