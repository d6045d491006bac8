import { describe, expect, test } from 'vitest'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
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
    const { payment: words } = text
    // A phone gets the page of the provider, because a code on its own screen cannot be scanned.
    const shown = isPhone ? page.getByRole('link', { name: words.open }) : page.getByRole('img', { name: words.code })
    return {
      async begin() {
        await steps.arrive('/console/recharge')
        await steps.button(words.methods.simulated).click()
        await shown.waitFor()
        await expect.poll(() => page.getByRole('img', { name: words.code }).count()).toBe(isPhone ? 0 : 1)
      },
      async pay() {
        await page.reload()
        await shown.waitFor()
        const opened = context.waitForEvent('page')
        await page.getByRole('link', { name: words.open }).click()
        const provider = await opened
        await provider.getByRole('button', { name: /^Pay ·/ }).click()
        await provider.getByText('paid 1×').waitFor()
      },
      /** By itself, without a reload. */
      seesPaid: () => page.getByText(paidText(words.states.paid)).waitFor(),
      /** The order of a cancelled payment is offered no more, and its address leads back to the payment. */
      async cancelAnother() {
        await steps.button(words.again).click()
        await steps.button(words.methods.simulated).click()
        await shown.waitFor()
        await steps.button(words.cancel).click()
        await page.getByText(words.states.cancelled).waitFor()
        await steps.button(words.again).click()
        const rows = page.locator('#content tbody tr')
        await expect.poll(() => rows.count()).toBe(2)
        await expect.poll(() => rows.getByText(text.recharge.continue, { exact: true }).count()).toBe(0)
        await rows.first().getByRole('link').first().click()
        await page.getByText(words.states.cancelled).waitFor()
      },
      /** Box and list say that it is being checked, and nothing asks to pay again. */
      async payOther() {
        await steps.button(words.again).click()
        await steps.button(words.methods.simulated).click()
        await shown.waitFor()
        const opened = context.waitForEvent('page')
        await page.getByRole('link', { name: words.open }).click()
        await (await opened).getByRole('button', { name: /^Pay a different amount/ }).click()
        await page.getByText(words.states.review).waitFor()
        const row = page.locator('#content tbody tr').first()
        await row.getByText(text.orderStates.in_review, { exact: true }).waitFor()
        await expect.poll(() => page.getByText(text.recharge.continue, { exact: true }).count()).toBe(0)
      },
      async end() {
        const me = await (await context.request.get(`${origin}/v1/me`)).json()
        expect(me.credits).toEqual({ available: 500, reserved: 0 })
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
    await all(({ cancelAnother }) => cancelAnother())
    await all(({ payOther }) => payOther())
    await all(({ end }) => end())
  })
})

/** Around the credits, which are written with their value. */
const paidText = (text: string) =>
  new RegExp(
    text
      .split('{{credits}}')
      .map((part) => part.trim())
      .join('.*'),
  )
