import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import { simulatedPayment } from '../../../testkit/browser/simulated-payment.ts'

describe.runIf(runsBrowser)('the console on a phone', () => {
  const site = setUpConsole()

  /** Safari on iOS zooms into any field with smaller text. */
  const smallFields = (page: Page) =>
    page.evaluate(`[...document.querySelectorAll('input:not([type=checkbox], [type=radio]), select, textarea')]
      .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
      .map(({ outerHTML }) => outerHTML)`)

  const overflowingChoices = (page: Page) =>
    page.evaluate(`[...document.querySelectorAll('select')]
      .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)
      .map(({ outerHTML }) => outerHTML)`)

  test('no field makes the browser zoom, or runs over the next one', async () => {
    const { page, text, open, enter, steps } = await site.visit({ width: 360 })
    for (const path of ['/sign-in', '/register']) {
      await open(`/console${path}`)
      expect(await smallFields(page)).toEqual([])
    }
    await steps.signUp()
    await open('/console')
    for (const path of ['/recharge', '/usage', '/keys', '/playground', '/playground/pick.compare']) {
      await enter(`/console${path}`)
      await page.locator('#content h1').waitFor()
      await page.getByLabel(text.common.loading).first().waitFor({ state: 'detached' })
      expect(await smallFields(page)).toEqual([])
      expect(await overflowingChoices(page)).toEqual([])
    }
  })

  test('the chosen filter is in sight', async () => {
    const { page, text, enter } = await site.signedIn({ width: 360 })
    await enter('/console/ledger?kind=withdraw')
    const { x, width } = (await page.getByRole('button', { name: text.ledger.kinds.withdraw }).boundingBox())!
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(360)
  })

  test('a code made on another device says how to pay on this one', async () => {
    const context = await site.browser.newContext({
      viewport: { width: 360, height: 800 },
      hasTouch: true,
      isMobile: true,
    })
    const { page, text, enter, origin } = await site.signedIn({ context, language: 'en-US' })
    await simulatedPayment({ context, origin }, 500)
    await page.route('**/v1/console/payments/*', async (route) => {
      const payment = await (await route.fetch()).json()
      await route.fulfill({ json: { ...payment, method: 'wechat', qrText: 'weixin://wxpay/bizpayurl?pr=1' } })
    })
    await enter('/console/recharge')
    await page.getByRole('img', { name: text.payment.code }).waitFor()
    await page.getByText(text.payment.otherDevice).waitFor()
  })

  test('Escape closes the menu and gives the focus back to its button', async () => {
    const { page, text } = await site.signedIn({ width: 360 })
    const menu = page.getByRole('button', { name: text.nav.menu, exact: true })
    await menu.click()
    await page.getByRole('navigation').getByRole('link').first().focus()
    await page.keyboard.press('Escape')
    await page.getByRole('navigation').waitFor({ state: 'hidden' })
    await expect.poll(() => menu.and(page.locator(':focus')).count()).toBe(1)
  })
})
