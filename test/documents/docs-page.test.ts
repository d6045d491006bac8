import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicOperations } from '../../src/contract/operations.ts'
import { axeFindings } from '../support/browser/axe.ts'
import { launchChromium, runsBrowser } from '../support/browser/chromium.ts'
import { type DocumentServer, startDocumentServer } from '../support/http/document-server.ts'

import { providerNames } from '../support/providers/provider-names.ts'

const operations = publicOperations(providerNames)

describe.runIf(runsBrowser)('the docs page in a browser', { timeout: 90_000 }, () => {
  let server: DocumentServer
  let browser: Browser
  beforeAll(async () => {
    server = await startDocumentServer()
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await server.close()
  })

  interface VisitOptions {
    readonly width?: number
    readonly colorScheme?: 'light' | 'dark'
    readonly javaScriptEnabled?: boolean
    readonly locale?: string
  }

  /** Opens the page and notes what it asks for, what the policy stops and what goes wrong. */
  async function visit(path: string, { width = 1400, ...options }: VisitOptions = {}) {
    const context = await browser.newContext({
      viewport: { width, height: 1000 },
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
    await page.goto(`${server.origin}${path}`)
    return { page, requests, faults, close: () => context.close() }
  }

  const contents = (page: Page) => page.getByRole('navigation')
  const entriesShown = async (page: Page) =>
    (await contents(page).getByRole('listitem').filter({ visible: true }).allInnerTexts()).map((text) =>
      text.split('\n').at(-1)!.trim(),
    )

  test.each([
    ['/docs', '/'],
    ['/gateway/docs', '/gateway/'],
  ])('%s lists every operation, breaks no rule of the policy and stays below %s', async (path, prefix) => {
    const { page, requests, faults, close } = await visit(path)
    for (const { id, summary } of operations) {
      await contents(page).getByRole('link', { name: summary, exact: false }).first().waitFor()
      await page.locator(`article[id="${id}"]`).waitFor()
    }
    await page.reload()
    expect(faults).toEqual([])
    for (const url of requests) expect(url.startsWith(`${server.origin}${prefix}`)).toBe(true)
    await close()
  })

  test('filters the contents by name, path, field or code, in any language of the page', async () => {
    const { page, close } = await visit('/docs/zh')
    await page.keyboard.press('/')
    await page.keyboard.type('recommend')
    expect(await entriesShown(page)).toEqual(['推荐排序'])
    await page.getByRole('searchbox').fill('criteria')
    expect(await entriesShown(page)).toEqual(['筛选商品'])
    await page.getByRole('searchbox').fill('KEY_EXPIRED')
    expect(await entriesShown(page)).toEqual(['错误码'])
    await page.getByRole('searchbox').fill('no such thing')
    expect(await entriesShown(page)).toEqual([])
    expect(await page.locator('#found').textContent()).toBe('0 项匹配')
    await close()
  })

  test('one choice of language changes every sample, stays for the next visit, and is what gets copied', async () => {
    const { page, close } = await visit('/docs')
    const article = page.locator('article[id="model.chat"]')
    await article.getByRole('button', { name: 'Python' }).click()
    expect(await page.locator('.sample.curl').filter({ visible: true }).count()).toBe(0)
    await page.reload()
    await article.getByRole('button', { name: 'Python', pressed: true }).waitFor()
    await article.getByRole('button', { name: 'Copy' }).first().click()
    await article.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('requests.post(')
    await close()
  })

  test('the other language opens at the same place', async () => {
    const { page, close } = await visit('/docs#pick.links', { locale: 'en-US' })
    await page.getByRole('link', { name: '中文' }).click()
    await page.waitForURL(`${server.origin}/docs/zh#pick.links`)
    await page.getByRole('heading', { name: '获取商品链接' }).waitFor()
    await close()
  })

  test.each(['pick.links', 'docs.llms', 'PROVIDER_LINK_FORBIDDEN'])('a link to #%s leads there', async (id) => {
    const { page, close } = await visit('/docs/en')
    await page.evaluate(`location.hash = '#${id}'`)
    const isInView = () =>
      page.evaluate(`(({ top }) => top > 0 && top < 400)(document.getElementById('${id}').getBoundingClientRect())`)
    await expect.poll(isInView, { timeout: 30_000 }).toBe(true)
    await close()
  })

  test('on a phone the contents open as a layer, close with Escape and lead to their place', async () => {
    const { page, close } = await visit('/docs', { width: 360 })
    const menu = page.getByRole('button', { name: 'Contents' })
    expect(await contents(page).isVisible()).toBe(false)
    await menu.click()
    await contents(page).waitFor()
    await page.keyboard.press('Escape')
    await contents(page).waitFor({ state: 'hidden' })
    await menu.click()
    await contents(page).getByRole('link', { name: 'Rank items' }).click()
    await contents(page).waitFor({ state: 'hidden' })
    expect(page.url()).toContain('#pick.recommend')
    await close()
  })

  test('without scripts everything can be read and nothing is offered that would not work', async () => {
    const { page, close } = await visit('/docs', { javaScriptEnabled: false })
    const article = page.locator('article[id="model.chat"]')
    for (const sample of ['curl', 'javascript', 'python'])
      expect(await article.locator(`.sample.${sample}`).isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: 'Copy' }).filter({ visible: true }).count()).toBe(0)
    expect(await page.getByRole('searchbox').filter({ visible: true }).count()).toBe(0)
    await close()
  })

  test.each([
    { path: '/docs/en', width: 1400, colorScheme: 'light' },
    { path: '/docs/zh', width: 360, colorScheme: 'dark' },
  ] as const)('axe finds nothing on $path at $width px, $colorScheme', async ({ path, ...look }) => {
    const { page, close } = await visit(path, look)
    // Everything is judged: what can be opened, and what is laid out only when it comes near.
    await page.evaluate(`
      for (const part of document.querySelectorAll('details')) part.open = true
      document.styleSheets[0].insertRule('* { content-visibility: visible !important }')`)
    expect(await axeFindings(page)).toEqual([])
    await close()
  })

  test.each(['/docs/en', '/docs/zh'])('%s fits every width', async (path) => {
    const { page, close } = await visit(path)
    for (const width of [360, 768, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 1000 })
      const spare = await page.evaluate('innerWidth - document.documentElement.scrollWidth')
      expect({ width, fits: Number(spare) >= 0 }).toEqual({ width, fits: true })
    }
    await close()
  })
})
