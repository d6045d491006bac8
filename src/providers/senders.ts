import type { EventType } from '../contract/events.ts'

/** `email_replaced` goes to the address that was replaced. */
export type NoticeName =
  | 'email_changed'
  | 'email_replaced'
  | 'email_verified'
  | 'password_changed'
  | 'password_recovered'
  | 'new_sign_in'
  | 'recovery_guessed'
  | 'factor_added'
  | 'factor_removed'
  | 'factor_removal_started'
  | 'factor_removal_cancelled'
  | 'recovery_codes_replaced'
  | 'recovery_code_used'
  | 'factor_guessed'
  | 'webhook_disabled'

/** Delivers SMS. An adapter settles within `sendLimitMs`, so that no message is sent twice at the same time. */
export interface SmsSender {
  send(message: SmsMessage): Promise<void>
}

export type SmsMessage = SmsCode | SmsNotice

/** The words of a message, for adapters that are not given its whole text. */
export interface SmsTexts {
  /** The whole text, for relays that do not use templates. */
  readonly smsText: (message: SmsMessage) => string
  /** The parameters of a vendor's notice template: what happened, and when. */
  readonly noticeParameters: (
    notice: SmsNotice['notice'],
    at: string,
  ) => { readonly event: string; readonly time: string }
}

export interface SmsCode {
  readonly kind: 'registration' | 'recovery'
  readonly phone: string
  readonly code: string
  readonly challengeId: string
  readonly sentAt: string
}

export interface SmsNotice {
  readonly kind: 'notice'
  /** The same when a delivery is repeated. */
  readonly messageId: string
  readonly phone: string
  /** An alert is named after its event. */
  readonly notice: NoticeName | EventType
  readonly at: string
  readonly text: string
  readonly sentAt: string
}

/** Delivers email. The same rule holds as for SMS. */
export interface EmailSender {
  send(message: EmailMessage): Promise<void>
}

export interface EmailMessage {
  /** The same when a delivery is repeated. */
  readonly messageId: string
  readonly to: string
  readonly kind: 'verification' | 'recovery' | 'notice'
  readonly subject: string
  readonly text: string
  readonly code?: string
  readonly challengeId?: string
  readonly sentAt: string
}

/** The longest that one attempt to deliver may take. */
export const sendLimitMs = 10_000

/** A delivery that failed. Its message may be logged: it never contains a recipient or a code. */
export class DeliveryFailure extends Error {
  override readonly name = 'DeliveryFailure'
}
