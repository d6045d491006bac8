import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutboxEmail } from '../../../src/providers/email.ts'
import type { SmsCode } from '../../../src/providers/senders.ts'
import { createOutboxSms } from '../../../src/providers/sms/sms.ts'
import { axeFindings } from '../../../testkit/browser/axe.ts'
import { fitsScreen } from '../../../testkit/browser/check-page.ts'
import { runsBrowser, sharedChromium } from '../../../testkit/browser/chromium.ts'
import { type Gateway, startGateway } from '../../../testkit/gateway/gateway.ts'

const message = (code: string): SmsCode => ({
  kind: 'registration',
  phone: '13800138000',
  code,
  challengeId: 'gvc_1',
  sentAt: `2026-09-03T08:00:00.${code.slice(0, 3)}Z`,
})

describe.runIf(runsBrowser)('the local inbox in a browser', () => {
  let gateway: Gateway
  let origin: string
  beforeAll(async () => {
    gateway = await startGateway()
    origin = `http://127.0.0.1:${gateway.app.operator!.port}/inbox`
  })
  const receive = (code: string) => createOutboxSms(gateway.database.dataDir).send(message(code))
  afterAll(() => gateway.stop())

  test('a new message appears without a reload, and axe finds nothing before and after', async () => {
    const page = await (await sharedChromium()).newPage({
      colorScheme: 'dark',
      viewport: { width: 360, height: 740 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const faults: string[] = []
    page.on('console', (entry) => faults.push(entry.text()))
    page.on('pageerror', (error) => faults.push(error.message))
    let loads = 0
    page.on('load', () => loads++)
    await page.goto(origin)
    await page.getByText('No messages yet').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await receive('123456')
    await page.getByText('123456', { exact: true }).waitFor()
    await receive('654321')
    await page.getByText('654321', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('listitem').count()).toBe(2)
    // One line each, in Beijing time.
    const lines = page.getByRole('listitem').first().locator('p').first()
    await expect.poll(() => lines.textContent()).toContain('09-03 16:00:00')
    expect((await lines.boundingBox())!.height).toBeLessThan(30)
    await page.getByRole('button', { name: '654321' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('654321')
    await fitsScreen(page)
    await expect.poll(() => page.getByRole('status').last().textContent()).toBe('13800138000: 6 5 4 3 2 1')
    await createOutboxEmail(gateway.database.dataDir).send({
      messageId: 'msg_1',
      to: 'payer@example.com',
      kind: 'notice',
      subject: 'Password changed',
      text: 'on <b>Monday</b>',
      sentAt: '2026-09-03T08:00:01.000Z',
    })
    await page.getByRole('listitem').getByText('on <b>Monday</b>').waitFor()
    await expect.poll(() => page.getByRole('listitem').first().textContent()).toContain('payer@example.com')
    expect(await axeFindings(page)).toEqual([])
    expect(loads).toBe(1)
    expect(faults).toEqual([])
    await page.close()
  })
})
