import { defaultAlertTypes } from '../contract/console/alerts.ts'
import type { EventType, ProjectEvent } from '../events/event.ts'
import type { MessageChannel } from '../messages/message.ts'
import type { AlertChoices, AlertRecipient } from './ports.ts'

/** What was chosen, or the defaults: by email if the address is verified, otherwise by SMS. */
export function choicesOf({ account, choices }: AlertRecipient): AlertChoices {
  if (choices) return choices
  const isVerified = account.recoveryEmailState === 'verified'
  return { email: isVerified ? defaultAlertTypes : [], sms: isVerified ? [] : defaultAlertTypes }
}

/** How the recipient is told of a type. While the address is not verified, SMS takes the place of email. */
export function channelsFor(recipient: AlertRecipient, type: EventType): MessageChannel[] {
  const { email, sms } = choicesOf(recipient)
  const isVerified = recipient.account.recoveryEmailState === 'verified'
  const byEmail = email.includes(type)
  const channels: MessageChannel[] = byEmail && isVerified ? ['email'] : []
  return sms.includes(type) || (byEmail && !isVerified) ? [...channels, 'sms'] : channels
}

/** Nobody can switch these notices off, so identity sends them, in the commit of what happened. */
export const isToldByIdentity = (event: ProjectEvent): boolean =>
  event.type === 'account.password_changed' || (event.type === 'account.signed_in' && event.data.isNewNetwork)
