import { beforeAll, describe, expect, test } from 'vitest'
import { axeFindings } from '../../../testkit/browser/axe.ts'
import { checkPage, fitsScreen, fitsWidth } from '../../../testkit/browser/check-page.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { sessionWriter } from '../../../testkit/browser/console-steps.ts'
import { bothLooks, looks } from '../../../testkit/browser/looks.ts'
import { type SiteVisit, setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import type { SeededCharge } from '../../../testkit/store/seed-charges.ts'

const reviews = 30
const charges: SeededCharge[] = Array.from({ length: 1300 }, (_, i) => ({
  at: Date.now() - (1300 - i) * 120_000,
  operation: i % 4 === 0 ? 'pick.search' : 'model.chat',
  state: i >= 1300 - reviews ? 'manual_review' : i % 9 === 0 ? 'released' : 'settled',
}))

const say = (sentence: string, values: Record<string, string | number>) =>
  sentence.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))

describe.runIf(runsBrowser)('an account with 1,300 calls, 120 orders and two webhooks', () => {
  const site = setUpConsole()
  let visit: Awaited<ReturnType<typeof site.withHistory>>

  beforeAll(async () => {
    visit = await site.withHistory(charges)
    const write = sessionWriter(visit.context, visit.origin)
    for (let number = 1; number < 120; number++)
      await write('/v1/orders', { amountFen: 100 * number }, { 'idempotency-key': `order ${number}` })
    for (const name of ['one', 'two'])
      await write('/v1/console/webhooks', { url: `https://example.com/${name}`, types: ['order.credited'] })
    const payment = { amountFen: 2000, method: 'simulated' }
    const { paymentId } = await write('/v1/console/payments', payment, { 'idempotency-key': 'a payment' })
    await write(`/v1/console/payments/${paymentId}/cancel`, {})
  }, 60_000)

  test.each(bothLooks())('an operator sees it without violations, in $language at $width px', async (look) => {
    const operator = await site.operator(look)
    const { page, words, goTo, isSound, heading } = operator
    await operator.signInWithLink()
    for (const name of ['reviews', 'payments', 'accounts'] as const) {
      await goTo(name)
      await page.locator('#content tbody tr').first().waitFor()
      await isSound()
    }
    const all = page.getByRole('table', { name: words.accounts.all }).locator('tbody')
    await all
      .getByRole('link')
      .filter({ hasText: visit.history.phone.slice(-4) })
      .first()
      .click()
    await heading(new RegExp(visit.history.phone.slice(-4))).waitFor()
    await isSound()
  })

  const paths = [
    ...['/', '/recharge', '/usage', '/ledger', '/reviews', '/proof', '/keys', '/media'],
    ...['/webhooks', '/pricing', '/events', '/alerts', '/account'],
  ]
  test.each(paths)('%s has no accessibility violations, light, dark and narrow', async (path) => {
    const { page, text, go, faults } = visit
    if (page.url() === 'about:blank') await visit.open('/console')
    await go(`/console${path}`)
    await page.locator('#content h1').waitFor()
    await expect.poll(() => page.getByLabel(text.common.loading).count()).toBe(0)
    await checkPage(page)
    expect(await page.locator('body').textContent()).not.toMatch(/¥[\d.,]+\s?元|CNY\s?¥/)
    expect(faults).toEqual([])
  })

  describe.each(looks('narrow'))('in $language at $width px', (look) => {
    let there: SiteVisit
    beforeAll(async () => {
      there = await site.visit(look)
      await there.context.addCookies(await visit.context.cookies())
    })

    test('every page fits the screen', async () => {
      const { page, text, open, go, faults } = there
      await open('/console')
      for (const path of paths) {
        await go(`/console${path}`)
        await expect.poll(() => page.getByLabel(text.common.loading).count()).toBe(0)
        await fitsWidth(page)
      }
      expect(faults).toEqual([])
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

    test('an order has an address, takes full-width digits, is cancelled, and expires', async () => {
      const { page, text, open, steps, faults } = there
      const { recharge, orderStates } = text
      await open('/console/recharge')
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
      expect(await axeFindings(page)).toEqual([])
      await fitsScreen(page)
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
      const { page, text, open } = there
      const { events } = text
      await open('/console')
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
      expect(await axeFindings(page)).toEqual([])
      await fitsScreen(page)
    })

    test('a changed alert is kept while other pages are looked at, until it is saved or discarded', async () => {
      const { page, text, open, go } = there
      const { alerts } = text
      await open('/console/alerts')
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
      expect(await axeFindings(page)).toEqual([])
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
      await fitsScreen(page)
    })
  })
})
