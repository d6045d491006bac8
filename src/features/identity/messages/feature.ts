import type { Logger } from 'pino'
import { SealUnusable } from '../../../base/keyring.ts'
import type { Config } from '../../../config/config.ts'
import { deliveryVariables } from '../../../config/delivery.ts'
import { collectFaults } from '../../../config/faults.ts'
import { defineFeature } from '../../../ops/feature.ts'
import type { Metrics } from '../../../ops/metrics.ts'
import { chooseEmail, smtpServerOf } from '../../../providers/email.ts'
import type { EmailSender } from '../../../providers/senders.ts'
import { DeliveryFailure, type SmsSender } from '../../../providers/senders.ts'
import { chooseSms } from '../../../providers/sms/sms.ts'
import { createOutbox, messageContext } from './message.ts'
import { createMessageStore, type MessageFacts, type MessageStore } from './store.ts'
import { noticeParameters, smsText } from './texts.ts'
import { createMessageWorker, type MessageObserver } from './worker.ts'

/** Replaced in tests. */
export interface Senders {
  readonly sms?: SmsSender | undefined
  readonly email?: EmailSender | undefined
}

export const messagesFeature = defineFeature({
  name: 'messages',
  sealed: () => [{ name: 'messages', table: 'messages', id: 'message_id', context: messageContext }],
  build({ config, logger, engine, keyring, instanceId, clock }, replaced: Senders) {
    requireCredentials(config)
    const texts = { smsText, noticeParameters }
    const sms = replaced.sms ?? chooseSms(config.sms, config.dataDir, config.credential, texts)
    const email = replaced.email ?? chooseEmail(config.email, config.dataDir, config.credential)
    const isSmsEnabled = replaced.sms !== undefined || config.sms.adapter !== 'disabled'
    const store = createMessageStore(engine)
    const counts = createCounts()
    const worker = createMessageWorker({
      store,
      keyring,
      sms: isSmsEnabled ? sms : null,
      email,
      instanceId,
      clock,
      observer: observe(logger, counts),
    })
    return {
      outbox: createOutbox({ keyring, clock, wake: worker.wake }),
      /** For codes that are delivered before the response. */
      sms,
      isEmailEnabled: email !== null,
      workers: [worker],
      registerMetrics: (metrics: Metrics) => register(metrics, store, counts),
    }
  },
})

export type Messages = ReturnType<typeof messagesFeature.build>

/** Only the start needs them; other commands run without. */
function requireCredentials(config: Config): void {
  const { report, throwIfAny } = collectFaults()
  for (const { channel, variable } of deliveryVariables(config)) {
    if (config.credential(variable) === undefined)
      report(variable, `is not set, and ${channel} delivery needs it`, 'Set it where the gateway runs.')
  }
  const smtpUrl = config.credential('SMTP_URL')
  if (config.email.adapter === 'smtp' && smtpUrl !== undefined && !smtpServerOf(smtpUrl))
    report(
      'SMTP_URL',
      'is not the URL of an SMTP server',
      'Use smtps://user:password@host:465 or smtp://user:password@host:587, with special characters percent-encoded.',
    )
  throwIfAny()
}

interface Counts {
  readonly sent: LabelledCount
  readonly failed: LabelledCount
  readonly dropped: LabelledCount
}

const createCounts = (): Counts => ({
  sent: new LabelledCount(),
  failed: new LabelledCount(),
  dropped: new LabelledCount(),
})

class LabelledCount {
  readonly #samples = new Map<string, { labels: Record<string, string>; value: number }>()
  readonly read = () => [...this.#samples.values()]

  add({ channel, kind }: MessageFacts): void {
    const key = `${channel} ${kind}`
    const sample = this.#samples.get(key) ?? { labels: { channel, kind }, value: 0 }
    sample.value += 1
    this.#samples.set(key, sample)
  }
}

function observe(logger: Logger, counts: Counts): MessageObserver {
  return {
    sent: (message) => counts.sent.add(message),
    failed(message, error) {
      counts.failed.add(message)
      logger.warn({ ...factsOf(message), reason: reasonOf(error) }, 'a message was not sent yet')
    },
    dropped(message) {
      counts.dropped.add(message)
      logger.error(factsOf(message), 'a message expired before it was sent')
    },
    storeFailed: (error) => logger.error({ err: error }, 'the message outbox cannot be read'),
  }
}

/** Never the content. */
const factsOf = ({ messageId, channel, kind, attempts }: MessageFacts) => ({ messageId, channel, kind, attempts })

/** An unexpected error may quote the message, so only its name is logged. */
const reasonOf = (error: unknown) =>
  error instanceof DeliveryFailure || error instanceof SealUnusable
    ? error.message
    : error instanceof Error
      ? error.name
      : 'unknown'

function register(metrics: Metrics, store: MessageStore, counts: Counts): void {
  const labels = ['channel', 'kind']
  const counter = (name: string, help: string, count: LabelledCount) =>
    metrics.samples({ type: 'counter', name, help, labels }, count.read)
  counter('gateway_messages_sent_total', 'Messages that this instance sent.', counts.sent)
  counter('gateway_messages_failed_total', 'Failed attempts to send a message.', counts.failed)
  counter('gateway_messages_dropped_total', 'Messages that expired before they were sent.', counts.dropped)
  const help = 'Messages that wait to be sent, across all instances.'
  metrics.samples({ type: 'gauge', name: 'gateway_messages_queued', help, labels }, async () =>
    (await store.countQueued()).map(({ channel, kind, queued }) => ({ labels: { channel, kind }, value: queued })),
  )
}
