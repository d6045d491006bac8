import type { Keyring } from '../../../base/keyring.ts'
import { sometimes } from '../../../base/sometimes.ts'
import { createWorkLoop } from '../../../base/work-loop.ts'
import type { FeatureContext } from '../../../ops/feature.ts'
import {
  type EmailMessage,
  type EmailSender,
  type SmsMessage,
  type SmsSender,
  sendLimitMs,
} from '../../../providers/senders.ts'
import { type MessageContent, type MessageRow, openMessage } from './message.ts'
import type { ChannelSlots, ClaimedMessage, MessageFacts, MessageStore } from './store.ts'
import { emailText, noticeText } from './texts.ts'

export function composeSms(content: MessageContent, row: MessageRow, sentAt: string): SmsMessage {
  if (content.kind === 'notice') {
    const { to: phone, notice, at } = content
    return { kind: 'notice', messageId: row.messageId, phone, notice, at, text: noticeText(content), sentAt }
  }
  // A phone is verified at registration, so that is the template of such a code.
  const kind = content.kind === 'recovery' ? 'recovery' : 'registration'
  return { kind, phone: content.to, code: content.code, challengeId: content.challengeId, sentAt }
}

export function composeEmail(content: MessageContent, row: MessageRow, sentAt: string): EmailMessage {
  const validMinutes = Math.round((row.expiresAt - row.createdAt) / 60_000)
  return {
    messageId: row.messageId,
    to: content.to,
    kind: content.kind,
    ...emailText(content, validMinutes),
    ...(content.kind !== 'notice' && { code: content.code, challengeId: content.challengeId }),
    sentAt,
  }
}

export interface MessageWorkerDeps extends Pick<FeatureContext, 'clock' | 'instanceId'> {
  readonly store: MessageStore
  readonly keyring: Pick<Keyring, 'open'>
  /** Null if the channel is disabled: its messages wait until it is enabled, or expire. */
  readonly sms: SmsSender | null
  readonly email: EmailSender | null
  readonly observer: MessageObserver
}

export interface MessageObserver {
  readonly sent: (message: MessageFacts) => void
  readonly failed: (message: MessageFacts, error: unknown) => void
  readonly dropped: (message: MessageFacts) => void
  /** The store failed. Reported once until it works again. */
  readonly storeFailed: (error: unknown) => void
}

/** Per channel, so that a vendor that never responds delays only its own messages. */
const slotsPerChannel = 8
/** The others are kept for codes, whose reader is waiting. */
const noticeSlots = 6
const dropAtOnce = 100
/** Longer than a send, and than the clocks of two instances differ. */
const claimMs = 30_000
const firstRetryMs = 1000
const lastRetryMs = 60_000

/** Sends the messages of the outbox, at least once each. */
export function createMessageWorker(deps: MessageWorkerDeps) {
  const { store, clock, observer, instanceId: by } = deps
  const channels = [deps.sms && ('sms' as const), deps.email && ('email' as const), 'none' as const].filter(
    (channel) => channel !== null,
  )
  const sending = new Set<ClaimedMessage>()
  const deliver = createDelivery(deps)
  const loop = createWorkLoop({ beginDue, onFault: observer.storeFailed })

  function slotsOf(channel: ChannelSlots['channel']): ChannelSlots {
    const own = [...sending].filter((message) => message.channel === channel)
    const notices = own.filter(({ kind }) => kind === 'notice')
    return { channel, free: slotsPerChannel - own.length, forNotices: noticeSlots - notices.length }
  }

  async function send(message: ClaimedMessage, claimedUntil: number): Promise<void> {
    sending.add(message)
    await deliver(message, claimedUntil).finally(() => sending.delete(message))
  }

  async function beginDue(): Promise<boolean> {
    const slots = channels.map(slotsOf).filter(({ free }) => free > 0)
    // With all slots taken, the next send that ends checks again.
    if (slots.length === 0 || !(await store.hasDue(clock())) || loop.isStopping()) return false
    const now = clock()
    const dropped = await store.dropExpired(now, dropAtOnce)
    for (const message of dropped) if (message.channel !== 'none') observer.dropped(message)
    const until = now + claimMs
    for (const message of await store.claim({ by, now, until, slots })) loop.begin(send(message, until))
    return dropped.length === dropAtOnce
  }

  return loop
}

/** Sends one claimed message. Rejects only if the store fails; then the claim expires. */
function createDelivery({ store, keyring, sms, email, instanceId, clock, observer }: MessageWorkerDeps) {
  /** Sent, but the store failed before the message was deleted. */
  const sentBefore = new Set<string>()

  async function send(message: ClaimedMessage): Promise<void> {
    const content = openMessage(keyring, message)
    const sentAt = new Date(clock()).toISOString()
    if (message.channel === 'sms') await sms!.send(composeSms(content, message, sentAt))
    if (message.channel === 'email') await email!.send(composeEmail(content, message, sentAt))
  }

  return async (message: ClaimedMessage, claimedUntil: number): Promise<void> => {
    const { messageId, channel, expiresAt, attempts } = message
    // After a long pause, another instance may send it before this send would end.
    if (clock() + sendLimitMs > claimedUntil) return
    try {
      if (sentBefore.has(messageId)) sometimes('a message is removed that was sent before')
      else {
        await send(message)
        if (channel !== 'none') observer.sent(message)
        sentBefore.add(messageId)
      }
    } catch (error) {
      observer.failed(message, error)
      const nextAttemptAt = clock() + Math.min(firstRetryMs * 2 ** (attempts - 1), lastRetryMs)
      return store.postpone(messageId, instanceId, Math.min(nextAttemptAt, expiresAt))
    }
    await store.remove(messageId, instanceId)
    sentBefore.delete(messageId)
  }
}
