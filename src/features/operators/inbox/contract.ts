/** A message that an outbox adapter wrote instead of sending it. */
export interface InboxMessage {
  readonly sentAt: string
  readonly channel: 'SMS' | 'Email'
  readonly to: string
  /** Null for a notice. */
  readonly code: string | null
  readonly text: string
}
