import { describe, expect, test } from 'vitest'
import { checkPage } from '../../../testkit/browser/check-page.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { sessionWriter } from '../../../testkit/browser/console-steps.ts'
import { looks } from '../../../testkit/browser/looks.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import type { SeededCharge } from '../../../testkit/store/seed-charges.ts'

describe.runIf(runsBrowser)('what the console says about money and calls', () => {
  const site = setUpConsole()

  test.each(looks('wide'))(
    'a key at its budget is not told to add credits, in $language at $width px',
    async (look) => {
      const visit = await site.withHistory([], look)
      const { page, text, open, faults, context, origin } = visit
      const write = sessionWriter(context, origin)
      const body = { name: 'Shop bot', scopes: ['models:invoke'], budget: { credits: 3, per: 'day' } }
      const { apiKey } = await write('/v1/console/keys', body, { 'idempotency-key': 'a key' })
      await open('/console/playground')
      await page.getByLabel(text.playground.key, { exact: true }).fill(apiKey)
      await visit.steps.runInPlayground()
      await page.getByText(text.playground.costCharged.replace('{{credits}}', ''), { exact: false }).first().waitFor()
      await page.locator('button[type=submit]').click()
      await page.getByText(text.trouble.budgetReached).waitFor()
      await expect.poll(() => page.getByText(text.errors.INSUFFICIENT_PAID_CREDITS).count()).toBe(0)
      await checkPage(page)
      await page.getByRole('link', { name: text.trouble.raiseBudget }).click()
      await page.getByRole('dialog').getByLabel(text.keys.budget).fill('100')
      await page.getByRole('button', { name: text.keys.save }).click()
      await page.waitForURL('**/playground')
      await page.getByText(text.trouble.budgetReached).waitFor()
      await page.locator('button[type=submit]').click()
      await page.getByText(text.trouble.budgetReached).waitFor({ state: 'detached' })
      await page.getByRole('link', { name: text.playground.seeReceipt }).waitFor()
      expect(faults).toEqual([])
    },
  )

  test.each(looks('narrow'))(
    'today’s failures lead to those calls, by key name, in $language at $width px',
    async (look) => {
      const at = Date.now() - 1000
      const failed: SeededCharge = { at, state: 'released', reason: 'PROVIDER_UNAVAILABLE' }
      const charges: SeededCharge[] = [{ at }, failed, failed, { at, state: 'manual_review' }]
      const { page, text, open, faults, context, origin, history } = await site.withHistory(charges, look)
      const write = sessionWriter(context, origin)
      await write(`/v1/console/keys/${history.keyId}/update`, { name: 'Checkout service' })
      await open('/console')
      const said = (sentence: string, amount: number) => sentence.replace('{{amount}}', String(amount))
      const link = (name: string) => page.getByRole('link', { name, exact: true })
      await link(said(text.overview.succeeded, 1)).waitFor()
      await link(said(text.overview.inReview, 1)).waitFor()
      // Under a day of data, nothing is said about how long the credits last.
      await expect.poll(() => page.getByText(text.overview.runway.split('{{time}}')[0]!.trim()).count()).toBe(0)
      await checkPage(page)
      await page.getByRole('link', { name: /PROVIDER_UNAVAILABLE/ }).click()
      await page.waitForURL('**/usage?*reason=PROVIDER_UNAVAILABLE')
      const rows = page.getByRole('row').filter({ hasText: 'model.chat' })
      await expect.poll(() => rows.count()).toBe(2)
      await expect
        .poll(() => page.getByLabel(text.usage.key, { exact: true }).locator('option').allTextContents())
        .toContainEqual(expect.stringContaining('Checkout service'))
      await page
        .getByRole('link', { name: new RegExp(text.operations['model.chat']) })
        .first()
        .click()
      await page.getByRole('dialog').getByText('Checkout service').first().waitFor()
      expect(faults).toEqual([])
    },
  )
})
