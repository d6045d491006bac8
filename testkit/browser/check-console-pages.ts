import { beforeAll, describe, expect, test } from 'vitest'
import type { SeededCharge } from '../store/seed-charges.ts'
import { checkPage, fitsScreen } from './check-page.ts'
import { runsBrowser } from './chromium.ts'
import { sessionWriter } from './console-steps.ts'
import { type SiteVisit, setUpConsole } from './set-up-console.ts'

const charges: SeededCharge[] = Array.from({ length: 60 }, (_, i) => ({
  at: Date.now() - (60 - i) * 3_600_000,
  operation: i % 4 === 0 ? 'pick.search' : 'model.chat',
  state: i >= 50 ? 'manual_review' : i % 9 === 0 ? 'released' : 'settled',
}))

/** Tests that each of these pages has no accessibility violations, in light and dark, and fits every width in both languages. */
export function checkConsolePages(title: string, paths: readonly string[]): void {
  describe.runIf(runsBrowser)(title, () => {
    const site = setUpConsole()
    let english: SiteVisit
    let chinese: SiteVisit
    let chargeId: string

    beforeAll(async () => {
      const owner = await site.withHistory(charges)
      chargeId = owner.history.chargeIds.at(-1)!
      const write = sessionWriter(owner.context, owner.origin)
      await write('/v1/orders', { amountFen: 500 }, { 'idempotency-key': 'unpaid' })
      const key = { scopes: ['models:invoke'], name: 'W'.repeat(64) }
      await write('/v1/console/keys', key, { 'idempotency-key': 'one long word' })
      for (const name of ['one', 'two'])
        await write('/v1/console/webhooks', { url: `https://example.com/${name}`, types: ['order.credited'] })
      english = owner
      chinese = await site.visit({ language: 'zh-CN', width: 360 })
      await chinese.context.addCookies(await owner.context.cookies())
      await Promise.all([english.open('/console'), chinese.open('/console')])
    })

    test.each(paths)('%s', async (path) => {
      for (const visit of [english, chinese]) {
        const { page, text, go, faults } = visit
        await go(`/console${path.replace(':chargeId', chargeId).replace(/\/:\w+\?$/, '')}`)
        await page.locator('#content h1').waitFor()
        await expect.poll(() => page.getByLabel(text.common.loading).count()).toBe(0)
        await (visit === english ? checkPage(page) : fitsScreen(page))
        expect(await page.locator('body').textContent()).not.toMatch(/¥[\d.,]+\s?元|CNY\s?¥/)
        expect(faults).toEqual([])
      }
    })
  })
}
