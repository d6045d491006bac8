import { beforeAll, describe, expect, test } from 'vitest'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { seedProject } from '../../../testkit/browser/console-seed.ts'
import { type SiteVisit, setUpConsole } from '../../../testkit/browser/set-up-console.ts'

const days = 3
const mostShift = 0.05
const slowResponseMs = 200

describe.runIf(runsBrowser)('the console while it loads', () => {
  const site = setUpConsole({ startDaysAgo: days })
  let seeded: SiteVisit
  beforeAll(async () => {
    seeded = await site.visit()
    await seedProject(site.gateway, seeded, seeded.steps, days)
  })

  test.each(['en-US', 'zh-CN'] as const)(
    'the frame is painted before any script has loaded, in %s',
    async (language) => {
      const { page, text, origin } = await site.visit({ language })
      await page.route(/\/console\/assets\/(index|libraries|console)-[\w-]+\.js$/, () => {})
      await page.goto(`${origin}/console`, { waitUntil: 'commit' })
      await page.getByText(text.product, { exact: true }).waitFor()
      await expect
        .poll(() => page.evaluate("performance.getEntriesByName('first-contentful-paint').length"))
        .toBeGreaterThan(0)
    },
  )

  const paths = ['', '/recharge', '/usage', '/keys', '/pricing', '/account']
  const others = ['/ledger', '/reviews', '/playground', '/media', '/webhooks', '/proof', '/events', '/alerts']
  /** What no page waits for: the bell, a filter, the sums of the period before. */
  const isLater = (url: string) => /\/events\?limit=20$|\/usage\/outcomes$|\/usage\/daily\?from=|\/keys$/.test(url)
  test.each([
    [1280, [...paths, ...others]],
    [360, paths],
  ])(
    'at %d px the data of each page is requested early and once, and shifts nothing when late',
    async (width, paths) => {
      const { page, text, context, open, origin } = await site.visit({ width, isolated: true })
      // Playwright loads everything without a cache while it has a route.
      await page.route('**/v1/**', async (route) => {
        // The page may be gone before it has everything.
        const response = await route.fetch().catch(() => null)
        if (response) setTimeout(() => void route.fulfill({ response }).catch(() => {}), slowResponseMs)
      })
      await page.addInitScript(`window.shift = 0
      Object.defineProperty(window, 'earlyReads', {
        get: () => window.reads,
        set(reads) {
          window.reads = reads
          window.early = [...reads.keys()]
        },
      })
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value
      }).observe({ type: 'layout-shift', buffered: true })`)
      const shiftAt = async (path: string) => {
        await open(`/console${path}`)
        await page.getByLabel(text.common.loading).first().waitFor({ state: 'detached' })
        return page.evaluate('new Promise((done) => requestAnimationFrame(() => done(window.shift)))')
      }
      for (const path of ['/sign-in', '/register']) expect(await shiftAt(path), path).toBeLessThan(mostShift)
      await context.addCookies(await seeded.context.cookies())
      let asked: string[] = []
      page.on('request', (request) => {
        // Opened events are marked as read some time later, perhaps after the next page was opened.
        if (request.resourceType() === 'fetch' && request.method() === 'GET') asked.push(request.url())
      })
      for (const path of paths) {
        asked = []
        expect(await shiftAt(path), path).toBeLessThan(mostShift)
        await expect.poll(() => page.evaluate('earlyReads.size'), { message: path }).toBe(0)
        expect(asked, path).toEqual([...new Set(asked)])
        const early = (await page.evaluate('early')) as string[]
        const late = asked.filter((url) => !early.includes(url.slice(origin.length)) && !isLater(url))
        expect(late, path).toEqual([])
      }
    },
  )

  test('early reads from before the sign-in are not shown after it', async () => {
    const { page, context, text, open } = await site.visit()
    await open('/console/usage')
    await page.getByRole('heading', { name: text.auth.signIn.title }).waitFor()
    await context.addCookies(await seeded.context.cookies())
    // Another tab signs in, which this one learns by the channel.
    await page.evaluate("new BroadcastChannel('gateway-console').postMessage('signed-in')")
    await page.getByRole('heading', { name: text.usage.title }).waitFor()
    await page.getByRole('cell').first().waitFor()
  })
})
