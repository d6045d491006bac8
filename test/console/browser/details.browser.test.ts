import { beforeAll, describe, expect, test } from 'vitest'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { sessionWriter } from '../../../testkit/browser/console-steps.ts'
import { looks } from '../../../testkit/browser/looks.ts'
import { loseResponse } from '../../../testkit/browser/lose-response.ts'
import { type SiteVisit, setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import type { SeededCharge } from '../../../testkit/store/seed-charges.ts'

const reviews = 30
const charges: SeededCharge[] = Array.from({ length: 130 }, (_, i) => ({
  at: Date.now() - (130 - i) * 120_000,
  operation: i % 4 === 0 ? 'pick.search' : 'model.chat',
  state: i >= 130 - reviews ? 'manual_review' : i % 9 === 0 ? 'released' : 'settled',
}))

const say = (sentence: string, values: Record<string, string | number>) =>
  sentence.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))

describe.runIf(runsBrowser)('an account with 130 calls and 60 orders', () => {
  const site = setUpConsole()
  let visit: Awaited<ReturnType<typeof site.withHistory>>
  let oldestOrderId: string | undefined

  beforeAll(async () => {
    visit = await site.withHistory(charges)
    const write = sessionWriter(visit.context, visit.origin)
    for (let number = 0; number < 60; number++) {
      const order = await write('/v1/orders', { amountFen: 100 }, { 'idempotency-key': `order ${number}` })
      oldestOrderId ??= order.orderId
    }
  }, 60_000)

  describe.each(looks('narrow'))('in $language at $width px', (look) => {
    let there: SiteVisit
    beforeAll(async () => {
      there = await site.visit(look)
      await there.context.addCookies(await visit.context.cookies())
      // An order without a payment is offered only where there is no method of payment.
      await there.page.route('**/v1/console/payment-methods', (route) => route.fulfill({ json: { methods: [] } }))
    })

    test('after loading, the first Tab is at the start of the page', async () => {
      const { page, text, open, steps } = there
      await open('/console')
      await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(true)
      await page.keyboard.press('Tab')
      await expect
        .poll(() => page.getByRole('link', { name: text.nav.skip }).and(page.locator(':focus')).count())
        .toBe(1)
      // After a click on a link the heading has the focus.
      await steps.goTo('keys')
      await expect.poll(() => page.locator('h1:focus').count()).toBe(1)
    })

    test('a lost confirmation is found behind many later orders', async () => {
      const { page, text, steps, enter, faults } = there
      const orderId = oldestOrderId!
      await enter('/console/recharge')
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
      // The order is read again by itself.
      await steps.button(text.recharge.startOver).waitFor()
      expect(faults.splice(0)).toEqual([expect.stringContaining('ERR_CONNECTION_RESET')])
    })

    test('an order has an address, takes full-width digits, is cancelled, and expires', async () => {
      const { page, text, open, enter, steps, faults } = there
      const { recharge, orderStates } = text
      await enter('/console/recharge')
      const order = async () => {
        await page.getByLabel(recharge.amount).fill('１２')
        await expect.poll(() => page.getByLabel(recharge.amount).inputValue()).toBe('12')
        await steps.button(recharge.create).click()
        await steps.button(recharge.confirm).waitFor()
        return new URL(page.url()).pathname
      }
      const address = await order()
      expect(address).toMatch(/^\/console\/recharge\/ord_/)
      await page.reload()
      await steps.button(recharge.cancelOrder).click()
      await page.getByText(recharge.cancelled).waitFor()
      const row = page.getByRole('row').filter({ hasText: address.split('/').at(-1)! })
      await row.getByText(orderStates.cancelled).waitFor()
      await expect.poll(() => row.getByText(recharge.continue, { exact: true }).count()).toBe(0)
      await steps.button(recharge.startOver).click()
      await expect.poll(() => new URL(page.url()).pathname).toBe('/console/recharge')

      const unpaid = await order()
      site.gateway.advanceSeconds(30 * 60)
      await open(unpaid)
      await page.getByText(recharge.expired).waitFor()
      expect(faults).toEqual([])
    })

    test('equal events are one line in the bell, which leads to all of them', async () => {
      const { page, text, enter } = there
      const { events } = text
      await enter('/console')
      await page.locator('header button[popovertarget]').click()
      const panel = page.getByRole('region', { name: events.title })
      const opened = events.types['charge.review_opened']
      const others = panel.getByRole('link', { name: say(events.more_other, { count: reviews - 1 }) })
      await others.waitFor()
      await expect.poll(() => panel.getByText(opened, { exact: true }).count()).toBe(1)
      await others.click()
      await expect.poll(() => page.getByLabel(events.type, { exact: true }).inputValue()).toBe('charge.review_opened')
      const rows = page.locator('#content tbody tr')
      await expect.poll(() => rows.count()).toBe(25)
      await expect.poll(() => rows.filter({ hasText: opened }).count()).toBe(25)
      await page.getByRole('button', { name: text.common.loadMore }).click()
      await expect.poll(() => rows.count()).toBe(reviews)
      await page.getByLabel(events.type, { exact: true }).selectOption('media.job_finished')
      await page.getByText(events.noMatch).waitFor()
    })

    test('a changed alert is kept while other pages are looked at, until it is saved or discarded', async () => {
      const { page, text, enter, go } = there
      const { alerts } = text
      await enter('/console/alerts')
      const slider = page.getByRole('slider')
      const before = await slider.getAttribute('aria-valuetext')
      await slider.press('ArrowRight')
      await expect.poll(() => slider.getAttribute('aria-valuetext')).not.toBe(before)
      const changed = await slider.getAttribute('aria-valuetext')
      await go('/console/keys')
      await page.getByRole('heading', { name: text.keys.title, level: 1 }).waitFor()
      await go('/console/alerts')
      await page.getByText(alerts.unsaved).waitFor()
      await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe(changed)
      await page.getByRole('button', { name: alerts.discard }).click()
      await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe(before)
    })

    test('sessions name their browser and network', async () => {
      const { page, text, open, steps, context } = await site.visit(look)
      await steps.signUp()
      expect(await context.cookies()).not.toEqual([])
      await open('/console/account')
      await page.getByText(text.account.device).first().waitFor({ state: 'attached' })
      await page.getByText(/(127\.0\.0\.x)/).waitFor()
    })
  })
})
