import { type Static, Type } from '../../../base/schema.ts'
import { type EventType, eventTypes } from '../../../contract/events.ts'
import { Choice, failsWith, named, request } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { view, write } from '../../../contract/operations/access.ts'

/** What is sent unless the payer chooses otherwise: low balance, payments, reviews and security. */
export const defaultAlertTypes: readonly EventType[] = [
  'credits.low',
  'credits.empty',
  'payment.credited_late',
  'payment.in_review',
  'payment.paid_twice',
  'payment.refunded',
  'key.created',
  'key.rotated',
  'key.revoked',
  'charge.review_opened',
  'charge.review_decided',
  'account.password_changed',
  'account.second_factor_changed',
]

/** By default also sent by SMS where there is an email address: money was received, and waits. */
export const defaultSmsTypes: readonly EventType[] = ['payment.in_review']

const threshold = [Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }), Type.Null()] as const
const thresholdMeaning = 'Available credits below which credits.low is raised; null for never.'
const types = (meaning: string) => ({ uniqueItems: true, maxItems: eventTypes.length, description: meaning })
const emailMeaning = 'Types sent to the recovery email; by SMS while that is not verified.'
const smsMeaning = 'Types sent to the phone.'

export const AlertSettings = named('AlertSettings', {
  lowBalanceCredits: Type.Union([...threshold], { description: thresholdMeaning }),
  email: Type.Array(Choice(eventTypes), types(emailMeaning)),
  sms: Type.Array(Choice(eventTypes), types(smsMeaning)),
})

export const AlertSettingsRequest = request('AlertSettingsRequest', {
  lowBalanceCredits: Type.Union([...threshold], { description: thresholdMeaning, ...failsWith('INVALID_THRESHOLD') }),
  email: Type.Array(Choice(eventTypes), { ...types(emailMeaning), ...failsWith('INVALID_ALERT_TYPES') }),
  sms: Type.Array(Choice(eventTypes), { ...types(smsMeaning), ...failsWith('INVALID_ALERT_TYPES') }),
})

const inForce = response(200, 'The settings in force.', AlertSettings)

export const alertOperations = [
  view({
    id: 'console.alerts.read',
    tag: 'Alerts',
    path: '/v1/console/alerts',
    summary: 'See which events are sent by email or SMS',
    description:
      'By default low balance, payments, reviews and security are sent to the verified recovery email, or by SMS where there is none. A payment in review is sent by both.',
    response: inForce,
  }),
  write({
    id: 'console.alerts.save',
    tag: 'Alerts',
    path: '/v1/console/alerts',
    summary: 'Choose which events are sent by email or SMS',
    description:
      'Replaces all settings. Every verified contact is always notified of a changed password and a sign-in from a new address, whatever is chosen here.',
    request: AlertSettingsRequest,
    responses: [inForce],
    ownErrors: ['INVALID_THRESHOLD', 'INVALID_ALERT_TYPES'],
  }),
]

export type AlertSettings = Static<typeof AlertSettings>
