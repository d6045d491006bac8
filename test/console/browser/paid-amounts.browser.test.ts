import { beforeAll, describe, expect, test } from 'vitest'
import { verifyWords } from '../../../console/site/verify/words.ts'
import { checkAxe, checkPage, fitsScreen } from '../../../testkit/browser/check-page.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { jsonOf } from '../../../testkit/browser/console-steps.ts'
import type { OperatorSteps } from '../../../testkit/browser/operator-steps.ts'
import { type SiteVisit, setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import { payOther } from '../../../testkit/browser/simulated-payment.ts'

describe.runIf(runsBrowser)('an order of 50 yuan that was paid with 51', () => {
  const site = setUpConsole()
  /** Wide and in English; on a phone and in Chinese. */
  let payers: SiteVisit[]
  let operators: OperatorSteps[]
  let paymentId: string
  let orderId: string
  let accountId: string

  beforeAll(async () => {
    const english = await site.visit()
    await english.steps.signUp()
    const chinese = await site.visit({ language: 'zh-CN', width: 360 })
    await chinese.context.addCookies(await english.context.cookies())
    payers = [english, chinese]
    operators = [await site.operator(), await site.operator({ language: 'zh-CN', width: 360, colorScheme: 'dark' })]
    for (const operator of operators) await operator.signInWithLink()
    paymentId = await payOther(english, 5000)
    const read = async (path: string) => jsonOf(await english.context.request.get(`${english.origin}${path}`))
    orderId = (await read('/v1/console/orders')).items[0].orderId
    accountId = (await read('/v1/me')).account.accountId
    await Promise.all(payers.map(({ open }) => open('/console')))
  })

  const paidText = (text: SiteVisit['text']) =>
    text.recharge.paidOfOrder.replace('{{paid}}', '¥51.00').replace('{{order}}', '¥50.00')

  test('the words are natural in both languages', () => {
    expect(payers.map(({ text }) => paidText(text))).toEqual([
      'Paid ¥51.00 (order ¥50.00)',
      '实付 ¥51.00（订单 ¥50.00）',
    ])
  })

  /** That the page has the text so often, no accessibility violation, and fits. */
  async function seen(visit: SiteVisit, path: string, wanted: string, count: number) {
    const { page, go, faults } = visit
    await go(path)
    await expect
      .poll(() => page.locator('#content').getByText(wanted, { exact: true }).count(), { message: path })
      .toBe(count)
    await (visit === payers[0] ? checkPage(page) : checkAxe(page))
    await fitsScreen(page)
    expect(faults).toEqual([])
  }

  test('in review, the large figure is what was received', async () => {
    for (const visit of payers) {
      await seen(visit, `/console/recharge/${orderId}`, paidText(visit.text), 2)
      const { page } = visit
      expect(await page.getByText('¥51.00', { exact: true }).count()).toBe(1)
      expect(await page.getByText('¥50.00', { exact: true }).count()).toBe(0)
    }
  })

  test('operators see both amounts, and credit what was paid', async () => {
    for (const { page, words, text, go, heading, isSound, faults } of operators) {
      await go('/payments')
      await page.getByRole('cell', { name: paidText(text) }).waitFor()
      await isSound()
      await go(`/payments/${paymentId}`)
      await heading(words.payments.paymentTitle.replace('{{amount}}', '¥51.00')).waitFor()
      await page.getByText(paidText(text), { exact: true }).waitFor()
      await isSound()
      expect(faults).toEqual([])
    }
    const { words, button, submit, dialog } = operators[0]!
    const { label } = words.payments.uncredited.credit
    await button(label).click()
    await submit({ reason: 'the payer agreed' }, label)
    await dialog.waitFor({ state: 'detached' })
  })

  test('once credited, the page, the list and the ledger of both consoles name both amounts', async () => {
    for (const visit of payers) {
      await seen(visit, '/console/ledger', paidText(visit.text), 1)
      await seen(visit, `/console/recharge/${orderId}`, paidText(visit.text), 2)
      await visit.page.getByText(visit.text.payment.paidAt.split('{{time}}')[0]!).waitFor()
    }
    for (const { page, text, go, isSound } of operators) {
      for (const view of ['orders', 'ledger']) {
        await go(`/accounts/${accountId}?view=${view}`)
        await page.locator('#content').getByText(paidText(text), { exact: true }).waitFor()
        await isSound()
      }
    }
  })

  /** As 0.2.0 signed it, but for the signature. */
  function older(jws: string): string {
    const [head, body, signature] = jws.split('.') as [string, string, string]
    const { paidFen: _, paidAt: __, ...payload } = JSON.parse(Buffer.from(body, 'base64url').toString())
    return [head, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.')
  }

  test('verifying the receipt names both amounts, and those that an older receipt leaves out', async () => {
    const filled = (words: string) => words.replace('{{paid}}', '¥51.00').replace('{{order}}', '¥50.00')
    for (const { page, context, text, enter, origin, steps } of payers) {
      await enter('/console/ledger')
      const verify = () => steps.button(text.chargeDetails.verify).first().click()
      await verify()
      await page.getByText(filled(text.proof.proves.payment)).waitFor()
      await page.getByText(text.proof.verified, { exact: true }).waitFor()
      await checkAxe(page)
      await fitsScreen(page)
      await page.keyboard.press('Escape')
      await page.route('**/receipt.jws*', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, body: older(await response.text()) })
      })
      await verify()
      await page.getByText(filled(text.proof.orderOnly)).waitFor()
      await page.unrouteAll()

      const address = `${origin}/v1/console/orders/${orderId}/receipt.jws`
      const jws = await (await context.request.get(address)).text()
      const language = text === payers[0]!.text ? 'en' : 'zh'
      const words = verifyWords[language]
      await page.goto(`${origin}/verify`)
      for (const [receipt, sentence] of [
        [jws, words.said.proves.payment],
        [older(jws), words.said.orderOnly],
      ] as const) {
        await page.getByLabel(words.receipt, { exact: true }).fill(receipt)
        await page.getByRole('button', { name: words.verify, exact: true }).click()
        await page.getByText(filled(sentence)).waitFor()
      }
      await checkAxe(page)
      await fitsScreen(page)
    }
  })
})
