import { describe, expect, test } from 'vitest'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { sessionWriter } from '../../../testkit/browser/console-steps.ts'
import type { Language } from '../../../testkit/browser/console-visit.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import { isFullMatrix } from '../../../testkit/store/engines.ts'

/** Both widths and both languages; all four combinations in the long form. */
const looks: [number, Language][] = [
  [360, 'zh-CN'],
  [1280, 'en-US'],
  ...(isFullMatrix
    ? ([
        [360, 'en-US'],
        [1280, 'zh-CN'],
      ] as [number, Language][])
    : []),
]

/** That payments survive a kill is tested without a browser: test/app/kills-sqlite.process.test.ts. */
describe.runIf(runsBrowser)('paying', () => {
  const site = setUpConsole({ payments: { queryAfterSeconds: [1, 2, 3], queryEverySeconds: 1 } })

  /** A new user, and their steps. */
  async function newPayer(width: number, language: Language) {
    const isPhone = width === 360
    const context = await site.browser.newContext({
      locale: language,
      viewport: { width, height: 800 },
      hasTouch: isPhone,
      isMobile: isPhone,
      reducedMotion: 'reduce',
    })
    const visit = await site.visit({ context, language })
    const { page, text, steps, origin } = visit
    const { payment: words, orderStates } = text
    const rows = page.locator('#content tbody tr')
    const write = sessionWriter(context, origin)
    /** Pays at the provider, as on a phone that has scanned the code. */
    const payElsewhere = async (action: 'pay' | 'pay_other') => {
      const [{ qrText, redirectUrl }] = (await (await context.request.get(`${origin}/v1/console/payments`)).json())
        .items
      await context.request.post(qrText ?? redirectUrl, { form: { action }, headers: { origin } })
    }
    const seesBoth = async (inBox: string, inRow: string) => {
      await page.getByText(inBox).first().waitFor()
      await rows.first().getByText(inRow, { exact: true }).waitFor()
    }
    const creditsText = (amount: number) => text.common.creditsCount_other.replace('{{amount}}', String(amount))
    // A phone gets the page of the provider, because a code on its own screen cannot be scanned.
    const shown = isPhone ? page.getByRole('link', { name: words.open }) : page.getByRole('img', { name: words.code })
    let orders = 1
    return {
      isPhone,
      async begin() {
        await steps.arrive('/console/recharge')
        await page.getByRole('radio', { name: words.methods.simulated }).and(page.locator(':checked')).waitFor()
        // An order that is confirmed without a payment is not offered next to a method of payment.
        expect(await page.getByRole('button', { name: text.recharge.create }).count()).toBe(0)
        await steps.pay('50').click()
        await shown.waitFor()
        await page.getByText('¥50.00', { exact: true }).first().waitFor()
        await page.getByText(creditsText(500)).first().waitFor()
        await expect.poll(() => page.getByRole('img', { name: words.code }).count()).toBe(isPhone ? 0 : 1)
        if (!isPhone) expect(await shown.boundingBox()).toMatchObject({ width: 240, height: 240 })
      },
      async pay() {
        await page.reload()
        await shown.waitFor()
        const opened = context.waitForEvent('page')
        await page.getByRole('link', { name: words.open }).click()
        const provider = await opened
        // WeChat Pay refuses visitors without the origin that is registered with it.
        await expect.poll(() => provider.evaluate('document.referrer')).toBe(`${origin}/`)
        await provider.getByRole('button', { name: /^Pay ·/ }).click()
        await provider.getByText('paid 1×').waitFor()
      },
      /** By itself, without a reload, with the next step. */
      async seesPaid() {
        await page.getByText(words.states.paid.replace('{{credits}}', creditsText(500))).waitFor()
        await page.getByRole('link', { name: text.recharge.toKeys }).waitFor()
      },
      /** What happens elsewhere: the box and the list agree, without a reload. */
      async seesTrouble() {
        orders += 2
        await steps.button(words.again).click()
        await steps.pay('50').click()
        await shown.waitFor()
        const { paymentId } = (await (await context.request.get(`${origin}/v1/console/payments`)).json()).items[0]
        await write(`/v1/console/payments/${paymentId}/cancel`, {})
        await seesBoth(words.states.cancelled, orderStates.cancelled)
        await payElsewhere('pay')
        await payElsewhere('pay')
        await seesBoth(words.states.paid.replace('{{credits}}', creditsText(500)), orderStates.credited)
        const twice = text.recharge.paidTwice.replace('{{yuan}}', '¥50.00')
        await seesBoth(twice, twice)
        await steps.button(words.again).click()
        await steps.pay('50').click()
        await shown.waitFor()
        await payElsewhere('pay_other')
        await seesBoth(words.states.in_review, orderStates.in_review)
        expect(await steps.button(words.startNew).count()).toBe(0)
        await expect.poll(() => rows.getByText(text.recharge.continue, { exact: true }).count()).toBe(0)
      },
      /** The order of a cancelled payment is offered no more, and its address leads back to the payment. */
      async cancelAnother() {
        await steps.goTo('overview')
        await steps.goTo('recharge')
        await steps.pay('50').click()
        await shown.waitFor()
        await steps.button(words.cancel).click()
        await page.getByText(words.states.cancelled).waitFor()
        await steps.button(words.startNew).click()
        await expect.poll(() => rows.count()).toBe(orders + 1)
        await expect.poll(() => rows.getByText(text.recharge.continue, { exact: true }).count()).toBe(0)
        await rows.first().getByRole('link').first().click()
        await page.getByText(words.states.cancelled).waitFor()
      },
      async end() {
        const me = await (await context.request.get(`${origin}/v1/me`)).json()
        expect(me.credits).toEqual({ available: orders > 1 ? 1000 : 500, reserved: 0 })
        // Apart from the connections that the restarts broke.
        expect(visit.faults.filter((fault) => !/net::ERR_/.test(fault))).toEqual([])
        await context.close()
      },
    }
  }

  test('people at every width and in every language pay while the gateway restarts twice', async () => {
    const payers = await Promise.all(looks.map(([width, language]) => newPayer(width, language)))
    const all = (step: (payer: (typeof payers)[number]) => Promise<void>) => Promise.all(payers.map(step))
    await all(({ begin }) => begin())
    await site.gateway.restart()
    await all(({ pay }) => pay())
    await site.gateway.restart()
    await all(({ seesPaid }) => seesPaid())
    await payers.find(({ isPhone }) => !isPhone)!.seesTrouble()
    await all(({ cancelAnother }) => cancelAnother())
    await all(({ end }) => end())
  })
})
