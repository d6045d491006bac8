import { describe, expect, test } from 'vitest'
import { axeFindings } from '../../../testkit/browser/axe.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { sessionWriter } from '../../../testkit/browser/console-steps.ts'
import { loseResponse } from '../../../testkit/browser/lose-response.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'

/** In the page. */
declare const getComputedStyle: (element: unknown) => Record<string, string>

describe.runIf(runsBrowser)('adding credits', () => {
  const site = setUpConsole()

  test('the next step after a payment is readable in both colour schemes', async () => {
    const { page, text, steps } = await site.signedIn()
    await steps.goTo('recharge')
    await steps.recharge('10')
    const next = page.getByRole('link', { name: text.recharge.toKeys })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.locator(`html[data-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
      const [color, ground] = await next.evaluate((link) => [
        getComputedStyle(link).color,
        getComputedStyle(link).backgroundColor,
      ])
      expect(color).not.toBe(ground)
      expect(await axeFindings(page)).toEqual([])
    }
  })

  test('a lost confirmation is found behind many later orders', async () => {
    const { page, text, steps, context, origin, open } = await site.visit()
    await steps.signUp()
    const write = sessionWriter(context, origin)
    const order = (number: number) => write('/v1/orders', { amountFen: 100 }, { 'idempotency-key': `order ${number}` })
    const { orderId } = await order(0)
    for (let number = 1; number <= 101; number++) await order(number)
    await open('/console/recharge')
    const row = page.getByRole('row').filter({ hasText: orderId })
    await steps.button(text.common.loadMore).waitFor()
    while ((await row.count()) === 0) {
      const before = await page.getByRole('row').count()
      await steps.button(text.common.loadMore).click()
      await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(before)
    }
    await row.getByRole('link', { name: text.recharge.continueLabel.replace('{{orderId}}', orderId) }).click()
    await page.route('**/v1/orders/*/confirm', loseResponse, { times: 1 })
    await steps.button(text.recharge.confirm).click()
    await page.getByText(text.recharge.unknownConfirmTitle).waitFor()
    await steps.button(text.recharge.checkAgain).click()
    await steps.button(text.recharge.startOver).waitFor()
  })
})
