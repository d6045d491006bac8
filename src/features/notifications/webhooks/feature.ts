import type { Logger } from 'pino'
import { randomShare } from '../../../base/randomness.ts'
import { defineFeature } from '../../../ops/feature.ts'
import type { Metrics } from '../../../ops/metrics.ts'
import type { Accounts } from '../../identity/accounts/feature.ts'
import type { Messages } from '../../identity/messages/feature.ts'
import type { EventSubscriber } from '../events/store.ts'
import { webhookContext } from './delivery.ts'
import { createDeliveryQueue } from './delivery-queue.ts'
import { webhookOperations } from './operations.ts'
import { webhookRoutes } from './routes.ts'
import type { SendDeps } from './send.ts'
import { resolveName, sendWebhook } from './send.ts'
import { createWebhooks } from './webhooks.ts'
import { createWebhookWorker, type DeliveryObserver, receiveEvents } from './worker.ts'

export interface WebhookFeatureDeps {
  readonly accounts: Accounts
  readonly messages: Messages
  /** How an endpoint is found and trusted; replaced in tests. */
  readonly network?: Partial<Pick<SendDeps, 'resolve' | 'ca' | 'timeoutMs'>> | undefined
}

export const webhooksFeature = defineFeature({
  name: 'webhooks',
  consoleOperations: webhookOperations,
  sealed: () => [{ name: 'webhookSecrets', table: 'webhooks', id: 'webhook_id', context: webhookContext }],
  build(context, { accounts: { guards, noticesFor }, messages, network }: WebhookFeatureDeps) {
    const { config, logger, engine, keyring, instanceId, clock, operation } = context
    const queue = createDeliveryQueue(engine)
    const allowsLoopback = config.isLoopback
    const counts = { delivered: 0, failed: 0 }
    const worker = createWebhookWorker({
      queue,
      keyring,
      instanceId,
      clock,
      noticesFor: (projectId) => noticesFor(projectId, 'webhook_disabled'),
      send: (request) => sendWebhook(request, { resolve: resolveName, ...network, allowsLoopback }),
      random: randomShare,
      observer: observe(logger, counts, messages.outbox.wake),
      onStoreFault: (error) => logger.error({ err: error }, 'the webhook deliveries cannot be read'),
    })
    const webhooks = createWebhooks({ engine, keyring, clock, allowsLoopback, wake: worker.wake })
    const subscriber: EventSubscriber = { receive: (tx, events) => receiveEvents(tx, events, clock) }
    return {
      subscriber,
      /** Sends what was queued now instead of at the next interval. */
      wake: worker.wake,
      routes: webhookRoutes({ operation, guards, webhooks }),
      workers: [worker],
      registerMetrics({ gauge, samples }: Metrics) {
        gauge(
          'gateway_webhooks_waiting',
          'Webhook deliveries waiting to be sent, across all instances.',
          queue.countWaiting,
        )
        gauge('gateway_webhooks_sending', 'Webhook deliveries that this instance is sending.', worker.underWay)
        const help = 'Attempts to deliver to a webhook.'
        samples({ type: 'counter', name: 'gateway_webhook_attempts_total', help, labels: ['result'] }, () =>
          Object.entries(counts).map(([result, value]) => ({ labels: { result }, value })),
        )
      },
    }
  },
})

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
