import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium, runsBrowser } from '../support/browser/chromium.ts'
import { type ConsoleGateway, startConsoleGateway } from '../support/browser/console-gateway.ts'
import { seedProject } from '../support/browser/console-seed.ts'
import { stepsOf } from '../support/browser/console-steps.ts'
import { type Visit, visitConsole } from '../support/browser/console-visit.ts'

const days = 3
const mostShift = 0.05
const slowAnswerMs = 200

/** For a busy machine. */
const patienceMs = 10_000

describe.runIf(runsBrowser)('the console while it loads', { timeout: 60_000 }, () => {
  let gateway: ConsoleGateway
  let browser: Browser
  let seeded: Visit
  beforeAll(async () => {
    ;[gateway, browser] = await Promise.all([startConsoleGateway({ startDaysAgo: days }), launchChromium()])
    seeded = await visitConsole(browser, gateway.origin)
    await seedProject(gateway, seeded, stepsOf(seeded, gateway.codeFor), days)
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
  })

  test.each(['en-US', 'zh-CN'] as const)('its frame is there before any script of it is, in %s', async (language) => {
    const { page, text, context } = await visitConsole(browser, gateway.origin, { language })
    await page.route(/\/console\/assets\/(index|libraries|console)-[\w-]+\.js$/, () => {})
    await page.goto(`${gateway.origin}/console`, { waitUntil: 'commit' })
    await page.getByText(text.product, { exact: true }).waitFor()
    await expect
      .poll(() => page.evaluate("performance.getEntriesByName('first-contentful-paint').length"), {
        timeout: patienceMs,
      })
      .toBeGreaterThan(0)
    await context.close()
  })

  test.each(
    ['/sign-in', '/register', '', '/recharge', '/usage', '/keys', '/pricing', '/account'].flatMap((path) =>
      [1280, 360].map((width) => ({ path, width })),
    ),
  )('what arrives late moves nothing on /console$path at $width px', async ({ path, width }) => {
    const { page, text, context, open } = await visitConsole(browser, gateway.origin, { width })
    if (path !== '/sign-in' && path !== '/register') await context.addCookies(await seeded.context.cookies())
    await page.route('**/v1/**', async (route) => {
      const response = await route.fetch()
      setTimeout(() => void route.fulfill({ response }).catch(() => {}), slowAnswerMs)
    })
    await page.addInitScript(`window.shift = 0
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value
      }).observe({ type: 'layout-shift', buffered: true })`)
    await open(`/console${path}`)
    await page.getByLabel(text.common.loading).first().waitFor({ state: 'detached' })
    expect(await page.evaluate('new Promise((done) => requestAnimationFrame(() => done(window.shift)))')).toBeLessThan(
      mostShift,
    )
    await context.close()
  })

  test.each(['', '/recharge', '/usage', '/ledger', '/reviews', '/keys', '/playground', '/pricing', '/account'])(
    '/console%s is asked for before the application is there, and nothing of it twice',
    async (path) => {
      const { page, context, text, open } = await visitConsole(browser, gateway.origin)
      await context.addCookies(await seeded.context.cookies())
      const asked: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/v1/')) asked.push(request.url())
      })
      await open(`/console${path}`)
      await page.getByLabel(text.common.loading).first().waitFor({ state: 'detached' })
      await expect.poll(() => page.evaluate('earlyReads.size'), { timeout: patienceMs }).toBe(0)
      expect(asked).toEqual([...new Set(asked)])
      expect(asked).toContain(`${gateway.origin}/v1/me`)
      await context.close()
    },
  )

  test('what was read early for nobody is not shown to who signs in', async () => {
    const { page, context, text, open } = await visitConsole(browser, gateway.origin)
    await open('/console/usage')
    await page.getByRole('heading', { name: text.auth.signIn.title }).waitFor()
    await context.addCookies(await seeded.context.cookies())
    // Another tab signs in, which this one learns by the channel.
    await page.evaluate("new BroadcastChannel('gateway-console').postMessage('signed-in')")
    await page.getByRole('heading', { name: text.usage.title }).waitFor()
    await page.getByRole('cell').first().waitFor()
    await context.close()
  })
})
