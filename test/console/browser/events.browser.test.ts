import { describe, expect, test } from 'vitest'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { sessionWriter } from '../../../testkit/browser/console-steps.ts'
import { looks } from '../../../testkit/browser/looks.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import type { SeededCharge } from '../../../testkit/store/seed-charges.ts'

/** 14 calls for 3 credits each since 112 hours ago: 9 credits a day. */
const charges: SeededCharge[] = Array.from({ length: 14 }, (_, i) => ({
  at: Date.now() - (14 - i) * 8 * 3_600_000,
  operation: 'model.chat',
  state: 'settled',
}))

const say = (sentence: string, values: Record<string, string | number>) =>
  sentence.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))

describe.runIf(runsBrowser)('events and alerts in the console', () => {
  const site = setUpConsole()

  test.each(looks('wide'))(
    'events and alerts in the console are read, followed and chosen in $language at $width px',
    async (look) => {
      const visit = await site.withHistory(charges, look)
      const { page, text, open, faults, context, origin } = visit
      const { events, alerts, nav } = text
      const write = sessionWriter(context, origin)
      let orders = 0
      async function order() {
        const key = { 'idempotency-key': `order ${orders++}` }
        const { orderId } = await write('/v1/orders', { amountFen: 100 }, key)
        await write(`/v1/orders/${orderId}/confirm`, {})
      }
      const rows = page.locator('#content tbody tr')
      const credits = (amount: number) => say(text.common.creditsCount_other, { amount })
      const bell = (unread: number) =>
        page.getByRole('button', { name: say(nav.unread_other, { count: unread }), exact: true })
      const panel = page.getByRole('region', { name: events.title })

      // The bell counts what is unread, without a reload, and its panel shows the newest.
      await open('/console')
      await page.getByText(say(text.overview.runway, { time: text.overview.runwayLong })).waitFor()
      await expect.poll(() => page.locator('header button[popovertarget]').getAttribute('aria-label')).toMatch(/\d/)
      const before = Number(
        /\d+/.exec((await page.locator('header button[popovertarget]').getAttribute('aria-label'))!)![0],
      )
      await order()
      await bell(before + 1).waitFor()
      await bell(before + 1).click()
      await panel.getByText(events.types['order.credited']).first().waitFor()
      await page.getByRole('button', { name: events.title, exact: true }).waitFor()
      const box = (await panel.boundingBox())!
      expect(box.x).toBeGreaterThanOrEqual(0)
      expect(box.x + box.width).toBeLessThanOrEqual(look.width)

      // The page has all of them, and new ones appear by themselves.
      await panel.getByRole('link', { name: events.all }).click()
      await page.getByRole('heading', { name: events.title, level: 1 }).waitFor()
      await expect.poll(() => panel.isVisible()).toBe(false)
      await expect.poll(() => rows.count()).toBe(before + 1)
      await order()
      await expect.poll(() => rows.count()).toBe(before + 2)
      await rows.first().getByText(events.isNew, { exact: true }).waitFor()
      await rows
        .first()
        .getByText(say(events.details['order.credited']!.split('{{available}}')[0]!, { credits: credits(10) }))
        .waitFor()
      await expect.poll(() => page.getByRole('button', { name: events.title, exact: true }).count()).toBe(1)

      // Older ones are a page further on.
      for (let more = 0; more < 26; more += 1) await order()
      await page.reload()
      await expect.poll(() => rows.count()).toBe(25)
      await page.getByRole('button', { name: text.common.loadMore }).click()
      await expect.poll(() => rows.count()).toBe(before + 28)

      // Each leads to what it is about.
      await rows.first().getByRole('link', { name: events.types['order.credited'] }).click()
      await page.getByRole('heading', { name: text.recharge.title, level: 1 }).waitFor()

      // The slider says what a threshold means in days; nothing is chosen before it is saved.
      await open('/console/events')
      await page.getByRole('link', { name: events.toAlerts }).click()
      await page.getByRole('heading', { name: alerts.title, level: 1 }).waitFor()
      await page.getByText(alerts.unverified).waitFor()
      await page.getByRole('slider').press('ArrowRight')
      await page.getByText(say(alerts.below, { credits: credits(200) })).waitFor()
      await page
        .getByText(say(alerts.lasts, { credits: credits(200), time: say(alerts.days_other, { count: 22 }) }))
        .waitFor()
      const chosen = page.getByRole('checkbox', {
        name: `${events.types['order.credited']}: ${alerts.email}`,
        exact: true,
      })
      await chosen.click()
      await page.getByRole('button', { name: alerts.save, exact: true }).click()
      await page.getByText(alerts.saved).waitFor()
      await open('/console/alerts')
      await page.getByText(say(alerts.below, { credits: credits(200) })).waitFor()
      await expect.poll(() => chosen.isChecked()).toBe(true)
      expect(faults).toEqual([])
    },
  )
})
