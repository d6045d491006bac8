import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOperatorListener } from '../../src/operator/listener.ts'
import type { EmailOutboxLine } from '../../src/providers/email/outbox.ts'
import type { SmsOutboxLine } from '../../src/providers/sms/outbox.ts'
import { axeFindings } from '../support/browser/axe.ts'
import { runsBrowser, sharedChromium } from '../support/browser/chromium.ts'

const message = (code: string): SmsOutboxLine => ({
  kind: 'registration',
  phone: '13800138000',
  code,
  challengeId: 'gvc_1',
  sentAt: `2026-09-03T08:00:00.${code.slice(0, 3)}Z`,
})

describe.runIf(runsBrowser)('the local inbox in a browser', { timeout: 60_000 }, () => {
  const messages: SmsOutboxLine[] = []
  const emails: EmailOutboxLine[] = []
  const listener = createOperatorListener({
    health: { problems: async () => [] } as never,
    metrics: {} as never,
    inbox: { sms: async () => messages, email: async () => emails },
  })
  let origin: string
  beforeAll(async () => {
    const { port } = await listener.listen({ host: '127.0.0.1', port: 0 })
    origin = `http://127.0.0.1:${port}`
  })
  afterAll(() => listener.close())

  test('a new message appears without a reload, and axe finds nothing before and after', async () => {
    const page = await (await sharedChromium()).newPage({ colorScheme: 'dark' })
    const faults: string[] = []
    page.on('console', (entry) => faults.push(entry.text()))
    page.on('pageerror', (error) => faults.push(error.message))
    let loads = 0
    page.on('load', () => loads++)
    await page.goto(origin)
    expect(await axeFindings(page)).toEqual([])
    messages.unshift(message('123456'))
    await page.getByRole('cell', { name: '123456' }).waitFor()
    messages.unshift(message('654321'))
    await page.getByRole('cell', { name: '654321' }).waitFor()
    expect(await page.getByRole('row').count()).toBe(3)
    expect(await page.getByRole('status').textContent()).toBe('13800138000: 6 5 4 3 2 1')
    emails.unshift({
      to: 'payer@example.com',
      kind: 'notice',
      subject: 'Password changed',
      text: 'on <b>Monday</b>',
      sentAt: '2026-09-03T08:00:01.000Z',
    })
    await page.getByRole('cell', { name: 'Password changed on <b>Monday</b>' }).waitFor()
    expect(await page.getByRole('row').nth(1).getByRole('cell').allTextContents()).toContain('payer@example.com')
    expect(await axeFindings(page)).toEqual([])
    expect(loads).toBe(1)
    expect(faults).toEqual([])
    await page.close()
  })
})
