import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { publicOperations } from '../../src/contract/operations.ts'
import { axeFindings } from '../../testkit/browser/axe.ts'
import { runsBrowser, sharedChromium } from '../../testkit/browser/chromium.ts'
import { type DocumentServer, startDocumentServer } from '../../testkit/http/document-server.ts'
import { providerNames } from '../../testkit/providers/provider-names.ts'
import { isFullMatrix } from '../../testkit/store/engines.ts'

const operations = publicOperations(providerNames)

describe.runIf(runsBrowser)('the docs page in a browser', () => {
  let server: DocumentServer
  let browser: Browser
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startDocumentServer(), sharedChromium()])
  })
  afterAll(() => server.close())

  /** Opens the page and notes what it asks for, what the policy stops and what goes wrong. */
  async function visit(path: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({
      viewport: { width: 1400, height: 1000 },
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    })
    const page = await context.newPage()
    const requests: string[] = []
    const faults: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
      console.error(event.effectiveDirective + ' ' + event.blockedURI))`)
    onTestFinished(() => context.close())
    await page.goto(`${server.origin}${path}`)
    return { page, requests, faults }
  }

  const contents = (page: Page) => page.locator('#contents')
  const entriesShown = async (page: Page) =>
    (await contents(page).getByRole('listitem').filter({ visible: true }).allInnerTexts()).map((text) =>
      text.split('\n').at(-1)!.trim(),
    )

  test.each([
    ['/docs', '/'],
    ['/gateway/docs', '/gateway/'],
  ])('%s lists every operation, breaks no rule of the policy and stays below %s', async (path, prefix) => {
    const { page, requests, faults } = await visit(path)
    for (const { id, summary } of operations) {
      await contents(page).getByRole('link', { name: summary, exact: false }).first().waitFor()
      await page.locator(`article[id="${id}"]`).waitFor()
    }
    await page.reload()
    expect(faults).toEqual([])
    for (const url of requests) expect(url.startsWith(`${server.origin}${prefix}`)).toBe(true)
  })

  test('the docs page in a browser filters the contents by name, path, field or code, in any language of the page', async () => {
    const { page } = await visit('/docs/zh')
    await page.keyboard.press('/')
    await page.keyboard.type('recommend')
    await expect.poll(() => entriesShown(page)).toEqual(['商品推荐'])
    await page.getByRole('searchbox').fill('criteria')
    await expect.poll(() => entriesShown(page)).toEqual(['商品筛选'])
    await page.getByRole('searchbox').fill('KEY_EXPIRED')
    await expect.poll(() => entriesShown(page)).toEqual(['错误码'])
    await page.getByRole('searchbox').fill('no such thing')
    await expect.poll(() => entriesShown(page)).toEqual([])
    await expect.poll(() => page.locator('#found').textContent()).toBe('0 项匹配')
  })

  test('one choice of language changes every sample, stays for the next visit, and is what gets copied', async () => {
    const { page } = await visit('/docs')
    const article = page.locator('article[id="model.chat"]')
    await article.getByRole('button', { name: 'Python' }).click()
    await expect.poll(() => page.locator('.sample.curl').filter({ visible: true }).count()).toBe(0)
    await page.reload()
    await article.getByRole('button', { name: 'Python', pressed: true }).waitFor()
    await article.getByRole('button', { name: 'Copy' }).first().click()
    await article.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('requests.post(')
  })

  test('a link leads to its place, and the other language opens at the same place', async () => {
    const { page } = await visit('/docs/en', { locale: 'en-US' })
    for (const id of ['docs.llms', 'IDEMPOTENCY_CONFLICT', 'pick.links']) {
      await page.evaluate(`location.hash = '#${id}'`)
      const isInView = () =>
        page.evaluate(`(({ top }) => top > 0 && top < 400)(document.getElementById('${id}').getBoundingClientRect())`)
      await expect.poll(isInView, { message: id }).toBe(true)
    }
    const seesVideos = async (price: string, topics: readonly string[]) => {
      const row = page.getByRole('row').filter({ hasText: '/v1/media/jobs' })
      await expect.poll(() => row.first().textContent()).toContain(price)
      for (const name of topics) await page.getByRole('heading', { name, exact: true }).first().waitFor()
    }
    await seesVideos('5 credits', ['Videos', 'Webhooks'])
    await page.getByRole('link', { name: '中文' }).click()
    await page.waitForURL(`${server.origin}/docs/zh#pick.links`)
    await page.getByRole('heading', { name: '商品链接' }).waitFor()
    await seesVideos('5 点', ['视频生成', 'Webhook'])
  })

  test('on a phone the contents open as a layer, close with Escape and lead to their place', async () => {
    const { page } = await visit('/docs', { viewport: { width: 360, height: 1000 } })
    const menu = page.getByRole('button', { name: 'Contents' })
    expect(await contents(page).isVisible()).toBe(false)
    await menu.click()
    await contents(page).waitFor()
    await page.keyboard.press('Escape')
    await contents(page).waitFor({ state: 'hidden' })
    await menu.click()
    await contents(page).getByRole('link', { name: 'Rank items' }).click()
    await contents(page).waitFor({ state: 'hidden' })
    await expect.poll(() => page.url()).toContain('#pick.recommend')
  })

  test('without scripts everything can be read and nothing is offered that would not work', async () => {
    const { page } = await visit('/docs', { javaScriptEnabled: false })
    const article = page.locator('article[id="model.chat"]')
    for (const sample of ['curl', 'javascript', 'python'])
      expect(await article.locator(`.sample.${sample}`).isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: 'Copy' }).filter({ visible: true }).count()).toBe(0)
    expect(await page.getByRole('searchbox').filter({ visible: true }).count()).toBe(0)
  })

  /** Everything is judged: what can be opened, and what is laid out only when it comes near. */
  const showAll = (page: Page) =>
    page.evaluate(`
      for (const part of document.querySelectorAll('details')) part.open = true
      document.styleSheets[0].insertRule('* { content-visibility: visible !important }')`)

  /** What depends on the texts, so that it is asked of every element. */
  const unnamed = (page: Page) =>
    page.evaluate(`[...document.querySelectorAll('a, button, summary, label, h1, h2, h3, h4')]
      .filter((one) => !(one.getAttribute('aria-label') ?? one.textContent).trim())
      .map(({ outerHTML }) => outerHTML)`)
  const repeatedIds = (page: Page) =>
    page.evaluate(`[...document.querySelectorAll('[id]')].map(({ id }) => id)
      .filter((id, at, all) => all.indexOf(id) !== at)`)

  test.each([
    { path: '/docs/en', width: 1400, colorScheme: 'light' },
    { path: '/docs/zh', width: 360, colorScheme: 'dark' },
  ] as const)('$path fits every width, and axe finds nothing at $width px, $colorScheme', async (look) => {
    const { page } = await visit(look.path, { colorScheme: look.colorScheme })
    await fitsEveryWidth(page)
    await page.setViewportSize({ width: look.width, height: 1000 })
    await showAll(page)
    expect([await unnamed(page), await repeatedIds(page)]).toEqual([[], []])
    if (isFullMatrix) expect(await axeFindings(page, { except: ['color-contrast'] })).toEqual([])
    await keepOneOfEachKind(page)
    expect(await axeFindings(page)).toEqual([])
  })

  async function fitsEveryWidth(page: Page): Promise<void> {
    for (const width of [360, 768, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 1000 })
      const spare = await page.evaluate('innerWidth - document.documentElement.scrollWidth')
      expect({ width, fits: Number(spare) >= 0 }).toEqual({ width, fits: true })
    }
  }
})

/**
 * Leaves one element of each kind: the same attributes, the same tags and classes up to the grandparent, with or without
 * text of its own. Axe would say the same about the others, and takes ten times as long to judge all 8,800 elements.
 */
async function keepOneOfEachKind(page: Page): Promise<void> {
  await page.evaluate(`{
    const nameOf = (one) => one.tagName + '.' + one.className
    const hasText = (one) => [...one.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim())
    const all = [...document.body.querySelectorAll('*')]
    const kinds = new Map(all.map((one) => {
      const { parentElement } = one
      return [one, [nameOf(one), one.getAttributeNames(), nameOf(parentElement), nameOf(parentElement.parentElement), hasText(one)].join()]
    }))
    const countKinds = (list) => {
      const counts = new Map()
      for (const kind of list.map((one) => kinds.get(one))) counts.set(kind, (counts.get(kind) ?? 0) + 1)
      return counts
    }
    const left = countKinds(all)
    for (const one of all.reverse()) {
      const own = countKinds([one, ...one.querySelectorAll('*')])
      if ([...own].some(([kind, count]) => count === left.get(kind))) continue
      one.remove()
      for (const [kind, count] of own) left.set(kind, left.get(kind) - count)
    }
  }`)
}
