import { expect, test } from 'vitest'
import type { EventData, EventType } from '../../src/contract/events.ts'
import { eventTypes } from '../../src/contract/events.ts'
import { alertSentences, alertSubjects } from '../../src/features/messages/alert-texts.ts'
import type { AlertFacts, MessageRow } from '../../src/features/messages/message.ts'
import { noticeParameters } from '../../src/features/messages/texts.ts'
import { composeEmail, composeSms } from '../../src/features/messages/worker.ts'
import { eachRow } from '../support/each-row.ts'

const at = '2026-10-01T08:30:00.000Z'
const key = { keyId: 'key_1', displayPrefix: 'gk_live_ab…wxyz' }
const charge = { chargeId: 'chg_1', operation: 'model.chat', credits: 3 } as const
const facts: EventData = {
  'order.credited': { orderId: 'ord_1', credits: 50, available: 60 },
  'credits.granted': { credits: 50, available: 60 },
  'credits.withdrawn': { credits: 50, available: 60 },
  'credits.low': { available: 60, lowBalanceCredits: 100 },
  'credits.empty': { available: 2, credits: 3 },
  'key.created': key,
  'key.rotated': { ...key, rotatedFromKeyId: 'key_0', oldKeyExpiresAt: at },
  'key.revoked': { ...key, by: 'owner' },
  'key.expiring': { ...key, expiresAt: at, daysLeft: 7 },
  'key.budget_reached': { keyId: 'key_1', credits: 500, per: 'day', resetsAt: at },
  'charge.review_opened': charge,
  'charge.review_decided': { ...charge, decision: 'released' },
  'media.job_finished': { jobId: 'job_1', chargeId: 'chg_1', status: 'completed', errorCode: null },
  'account.signed_in': { isNewNetwork: false },
  'account.password_changed': { by: 'recovery' },
}
const alertOf = (type: EventType, isLast = false) => ({ type, data: facts[type], isLast }) as AlertFacts
const row = { messageId: 'msg_1', createdAt: 0, expiresAt: 1 } as MessageRow
const content = (type: EventType) =>
  ({ kind: 'notice', to: '13800138000', notice: type, at, alert: alertOf(type) }) as const

test('every alert has a subject and sentences in Chinese and English, with the time in Beijing', () =>
  eachRow(eventTypes, String, (type) => {
    const { zh, en } = alertSentences(alertOf(type), at)
    expect(zh).toMatch(/\p{Script=Han}.*（2026-10-01 16:30，北京时间）。/u)
    expect(en).toMatch(/^[A-Z0-9].*\(2026-10-01 16:30 Beijing time\)\./)
    expect(`${zh} ${en}`).not.toMatch(/undefined|null|NaN|\[object/)
    const email = composeEmail(content(type), row, at)
    expect(email.subject).toBe(`${alertSubjects[type].zh} · ${alertSubjects[type].en}`)
    expect(email.text).toBe(`${zh}\n\n${en}\n`)
    expect(composeSms(content(type), row, at)).toMatchObject({ kind: 'notice', notice: type, text: `${zh} ${en}` })
    expect(noticeParameters(type, at)).toEqual({ event: alertSubjects[type].zh, time: '2026-10-01 16:30' })
  }))

test('the last alert of a day says that more are in the console', () => {
  const { zh, en } = alertSentences(alertOf('charge.review_opened', true), at)
  expect(zh).toContain('其余请在控制台查看')
  expect(en).toContain('see the rest in the console')
  expect(alertSentences(alertOf('charge.review_opened'), at).en).not.toContain('console')
})
