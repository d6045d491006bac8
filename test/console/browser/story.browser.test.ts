import { describe, expect, test } from 'vitest'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import { isFullMatrix } from '../../../testkit/store/engines.ts'

describe.runIf(runsBrowser)('the console, from registration to receipt', () => {
  const site = setUpConsole()

  // Each language, width and path once: none of them depends on another.
  test.each([
    { language: 'en-US', width: 360, base: '/console' },
    { language: 'zh-CN', width: 1280, base: '/gateway/console' },
    ...(isFullMatrix
      ? ([
          { language: 'en-US', width: 1280, base: '/console' },
          { language: 'zh-CN', width: 360, base: '/console' },
        ] as const)
      : []),
  ] as const)(
    'in $language at $width px under $base, every credit can be followed',
    async ({ language, width, base }) => {
      const visit = await site.visit({ language, width })
      const { page, text, steps, faults, refusals } = visit

      await visit.open(`${base}/register`)
      await steps.register()
      await page.getByText(text.overview.firstSteps, { exact: true }).waitFor()

      await steps.goTo('recharge')
      await steps.recharge('20')
      await page.getByText(text.orderStates.credited, { exact: true }).waitFor()

      await steps.goTo('keys')
      const key = await steps.createKey()
      expect(key).toMatch(/^gk_live_[A-Za-z0-9]{43}$/)
      await steps.button(text.keys.finishAndTry).click()

      await page.getByRole('heading', { name: text.playground.title, level: 1 }).waitFor()
      await steps.runInPlayground()
      await page.getByRole('link', { name: text.playground.seeReceipt, exact: true }).click()

      await page.getByRole('heading', { name: text.receipt.title, level: 1 }).waitFor()
      await page.getByText(text.receipt.paid).first().waitFor()
      await page.getByText('gateway-custom-cny-10credits-v1').waitFor()
      const ledgerLines = page.getByRole('table').getByRole('row')
      await expect.poll(() => ledgerLines.filter({ hasText: text.ledger.kinds.settle }).count()).toBe(1)

      await steps.goTo('overview')
      await steps.seeSum({ bought: 200, spent: 3, reserved: 0, available: 197 })

      expect(faults).toEqual([])
      // Asking who is signed in is how the console finds out that nobody is.
      expect(refusals).toEqual([`401 ${base === '/console' ? '/v1' : '/gateway/api'}/me`])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(key.slice(0, 12))
    },
  )
})
