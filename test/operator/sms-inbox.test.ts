import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutboxEmail } from '../../src/providers/email.ts'
import type { SmsCode } from '../../src/providers/senders.ts'
import { createOutboxSms } from '../../src/providers/sms/sms.ts'
import { axeFindings } from '../support/browser/axe.ts'
import { runsBrowser, sharedChromium } from '../support/browser/chromium.ts'
import { type Gateway, startGateway } from '../support/gateway/gateway.ts'

const message = (code: string): SmsCode => ({
  kind: 'registration',
  phone: '13800138000',
  code,
  challengeId: 'gvc_1',
  sentAt: `2026-09-03T08:00:00.${code.slice(0, 3)}Z`,
})

describe.runIf(runsBrowser)('the local inbox in a browser', { timeout: 60_000 }, () => {
  let gateway: Gateway
  let origin: string
  beforeAll(async () => {
    gateway = await startGateway()
    origin = `http://127.0.0.1:${gateway.app.operator!.port}/inbox`
  })
  const receive = (code: string) => createOutboxSms(gateway.database.dataDir).send(message(code))
  afterAll(() => gateway.stop())

  test('a new message appears without a reload, and axe finds nothing before and after', async () => {
    const page = await (await sharedChromium()).newPage({ colorScheme: 'dark' })
    const faults: string[] = []
    page.on('console', (entry) => faults.push(entry.text()))
    page.on('pageerror', (error) => faults.push(error.message))
    let loads = 0
    page.on('load', () => loads++)
    await page.goto(origin)
    expect(await axeFindings(page)).toEqual([])
    await receive('123456')
    await page.getByRole('cell', { name: '123456' }).waitFor()
    await receive('654321')
    await page.getByRole('cell', { name: '654321' }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    await expect.poll(() => page.getByRole('status').textContent()).toBe('13800138000: 6 5 4 3 2 1')
    await createOutboxEmail(gateway.database.dataDir).send({
      messageId: 'msg_1',
      to: 'payer@example.com',
      kind: 'notice',
      subject: 'Password changed',
      text: 'on <b>Monday</b>',
      sentAt: '2026-09-03T08:00:01.000Z',
    })
    await page.getByRole('cell', { name: 'Password changed on <b>Monday</b>' }).waitFor()
    const newest = page.getByRole('row').nth(1).getByRole('cell')
    await expect.poll(() => newest.allTextContents()).toContain('payer@example.com')
    expect(await axeFindings(page)).toEqual([])
    expect(loads).toBe(1)
    expect(faults).toEqual([])
    await page.close()
  })
})
