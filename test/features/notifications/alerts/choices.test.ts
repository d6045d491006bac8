import { describe, expect, test } from 'vitest'
import { eventTypes } from '../../../../src/contract/events.ts'
import type { AlertChoices, AlertRecipient } from '../../../../src/features/notifications/alerts/alerts.ts'
import { channelsFor, choicesOf, isSentByIdentity } from '../../../../src/features/notifications/alerts/alerts.ts'
import { defaultAlertTypes } from '../../../../src/features/notifications/alerts/contract.ts'
import type { ProjectEvent } from '../../../../src/ledger/events.ts'

const recipient = (
  recoveryEmailState: 'verified' | 'pending_verification',
  choices: AlertChoices | null,
): AlertRecipient => ({ account: { recoveryEmailState } as AlertRecipient['account'], choices })

const event = (type: string, data: object) => ({ id: 'evt_1', at: 0, projectId: 'prj_1', type, data }) as ProjectEvent

describe('who is notified of an event', () => {
  test('by default low balance, reviews and security go to the verified email, and by SMS where there is none', () => {
    expect(choicesOf(recipient('verified', null))).toEqual({ email: defaultAlertTypes, sms: ['payment.in_review'] })
    expect(choicesOf(recipient('pending_verification', null))).toEqual({ email: [], sms: defaultAlertTypes })
    expect(channelsFor(recipient('verified', null), 'credits.low')).toEqual(['email'])
    expect(channelsFor(recipient('pending_verification', null), 'credits.low')).toEqual(['sms'])
    expect(channelsFor(recipient('verified', null), 'order.credited')).toEqual([])
    expect(channelsFor(recipient('verified', null), 'payment.in_review')).toEqual(['email', 'sms'])
  })

  test('what was chosen for email goes by SMS while the address is not verified, once', () => {
    const both = { email: ['credits.low', 'key.created'], sms: ['credits.low'] } as const
    expect(channelsFor(recipient('verified', both), 'credits.low')).toEqual(['email', 'sms'])
    expect(channelsFor(recipient('pending_verification', both), 'credits.low')).toEqual(['sms'])
    expect(channelsFor(recipient('pending_verification', both), 'key.created')).toEqual(['sms'])
  })

  test('choosing nothing sends nothing', () => {
    const nothing = recipient('verified', { email: [], sms: [] })
    for (const type of eventTypes) expect(channelsFor(nothing, type)).toEqual([])
  })

  test('what identity sends to every verified contact is not sent twice', () => {
    expect(isSentByIdentity(event('account.password_changed', { by: 'password' }))).toBe(true)
    expect(isSentByIdentity(event('account.signed_in', { isNewNetwork: true }))).toBe(true)
    expect(isSentByIdentity(event('account.signed_in', { isNewNetwork: false }))).toBe(false)
    expect(isSentByIdentity(event('key.created', { keyId: 'key_1', displayPrefix: 'gk' }))).toBe(false)
  })
})
