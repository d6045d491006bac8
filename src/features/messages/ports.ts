import type { MessageRow } from './message.ts'

/** A message that only one instance may send until its claim ends. */
export interface ClaimedMessage extends MessageRow {
  /** Counts this one. */
  readonly attempts: number
}

/** A message without its content, for log and metrics. */
export type MessageFacts = Pick<ClaimedMessage, 'messageId' | 'channel' | 'kind' | 'attempts'>

export interface Claim {
  /** The instance. */
  readonly by: string
  readonly now: number
  /** When others may send the message again. */
  readonly until: number
  readonly slots: readonly ChannelSlots[]
}

/** How many messages of a channel may be claimed: codes first. */
export interface ChannelSlots {
  readonly channel: MessageRow['channel']
  readonly free: number
  /** How many of them may be notices. */
  readonly forNotices: number
}

export interface QueuedMessages {
  readonly channel: MessageRow['channel']
  readonly kind: MessageRow['kind']
  readonly queued: number
}

export interface MessageStore {
  /** Cheap: whether anything can be claimed or dropped. */
  hasDue(now: number): Promise<boolean>
  /** Claims due messages. Of two instances at most one gets a message. */
  claim(claim: Claim): Promise<ClaimedMessage[]>
  /** Deletes messages that expired before they were sent, except claimed ones. */
  dropExpired(now: number, limit: number): Promise<MessageFacts[]>
  /** Deletes a message; does nothing if another instance has claimed it meanwhile. */
  remove(messageId: string, claimedBy: string): Promise<void>
  /** Ends the claim; the message is due again at `nextAttemptAt`. */
  postpone(messageId: string, claimedBy: string, nextAttemptAt: number): Promise<void>
  countQueued(): Promise<QueuedMessages[]>
}
