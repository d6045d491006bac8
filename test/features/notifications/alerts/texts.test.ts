import { expect, test } from 'vitest'
import { type EventType, eventExample, eventTypes } from '../../../../src/contract/events.ts'
import { alertSentences, alertSubjects } from '../../../../src/features/identity/messages/alert-texts.ts'
import type { AlertFacts, MessageRow } from '../../../../src/features/identity/messages/message.ts'
import { noticeParameters } from '../../../../src/features/identity/messages/texts.ts'
import { composeEmail, composeSms } from '../../../../src/features/identity/messages/worker.ts'
import { eachRow } from '../../../../testkit/each-row.ts'

const at = '2026-10-01T08:30:00.000Z'
const alertOf = (type: EventType, isLast = false) => ({ type, data: eventExample(type), isLast }) as AlertFacts
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
  expect(zh).toContain('后续请在控制台查看')
  expect(en).toContain('see the rest in the console')
  expect(alertSentences(alertOf('charge.review_opened'), at).en).not.toContain('console')
})
