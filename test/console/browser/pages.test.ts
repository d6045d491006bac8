import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFindings } from '../../support/browser/axe.ts'
import { launchChromium, runsBrowser } from '../../support/browser/chromium.ts'
import { type ConsoleGateway, startConsoleGateway } from '../../support/browser/console-gateway.ts'
import { seedProject } from '../../support/browser/console-seed.ts'
import { stepsOf } from '../../support/browser/console-steps.ts'
import { type Visit, visitConsole } from '../../support/browser/console-visit.ts'

const days = 7

describe.runIf(runsBrowser)('every page of the console', { timeout: 60_000 }, () => {
  let gateway: ConsoleGateway
  let browser: Browser
  let visit: Visit
  beforeAll(async () => {
    ;[gateway, browser] = await Promise.all([startConsoleGateway({ startDaysAgo: days }), launchChromium()])
    visit = await visitConsole(browser, gateway.origin)
    await seedProject(gateway, visit, stepsOf(visit, gateway.codeFor), days)
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
  })

  async function checkPage(page: Page): Promise<void> {
    expect(await axeFindings(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' })
    expect(await axeFindings(page, ['color-contrast'])).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    for (const width of [360, 768]) {
      await page.setViewportSize({ width, height: 800 })
      expect(
        await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
      ).toBeLessThanOrEqual(0)
    }
  }

  test.each([
    '',
    '/recharge',
    '/usage',
    '/ledger',
    '/reviews',
    '/keys',
    '/playground',
    '/playground/agent.run',
    '/playground/pick.compare',
    '/pricing',
    '/account',
    '/no-such-page',
  ])('/console%s hinders nobody, in light, in dark and on a narrow screen', async (path) => {
    const { page, text, faults } = await visitConsole(browser, gateway.origin, { context: visit.context })
    await page.goto(`${gateway.origin}/console${path}`)
    await page.locator('#content h1').waitFor()
    await page.getByLabel(text.common.loading).first().waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await checkPage(page)
    await page.close()
  })

  test('a receipt and the dialogs hinder nobody', async () => {
    const { page, text } = await visitConsole(browser, gateway.origin, { context: visit.context })
    await page.goto(`${gateway.origin}/console/usage?state=manual_review`)
    await page.getByRole('cell').getByRole('link').first().click()
    await page.getByText(text.receipt.stillHeld).waitFor()
    await checkPage(page)
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`${gateway.origin}/console/keys`)
    await page.getByRole('button', { name: text.keys.create }).click()
    await page.getByText(text.scopes['pick:read']).waitFor()
    await checkPage(page)
    await page.close()
  })

  test.each(['/sign-in', '/register'])('/console%s hinders nobody before signing in', async (path) => {
    const { page, context, open } = await visitConsole(browser, gateway.origin, { language: 'zh-CN' })
    await open(`/console${path}`)
    await checkPage(page)
    await context.close()
  })

  test('a chosen day, the filters and the exported files agree', async () => {
    const { page, text, faults } = await visitConsole(browser, gateway.origin, { context: visit.context })
    await page.goto(`${gateway.origin}/console/usage`)
    await page
      .getByRole('button', { name: /: [1-9]\d* credits/ })
      .first()
      .click()
    const day = new URL(page.url()).searchParams.get('day')
    expect(day).toMatch(/^\d{4}-\d\d-\d\d$/)
    await page.getByLabel(text.usage.operation, { exact: true }).selectOption('model.chat')
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      operation: 'model.chat',
      day,
    })
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'model.chat' }).count()).toBe(2)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: text.common.exportCsv }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe(`usage-${day}-${day}.csv`)
    const lines = readFileSync(await file.path(), 'utf8')
      .split(/\r?\n/)
      .filter(Boolean)
    expect(lines[0]).toMatch(/^\uFEFFchargeId,operation,credits,state,/)
    expect(lines).toHaveLength(3)
    expect(faults).toEqual([])
    await page.close()
  })

  test('language and colours are chosen at once and kept, and nothing else is', async () => {
    const { page, text, context, open } = await visitConsole(browser, gateway.origin)
    await open('/console/sign-in')
    await page.getByText('中文').click()
    await page.getByRole('heading', { name: '登录' }).waitFor()
    await page.getByTitle('深色').click()
    await page.reload()
    await page.getByRole('heading', { name: '登录' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN')
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
    await page.getByText('English').click()
    await page.getByRole('heading', { name: text.auth.signIn.title }).waitFor()
    expect(await page.evaluate('Object.keys(localStorage).sort()')).toEqual([
      'console-color-scheme',
      'console-language',
    ])
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    await context.close()
  })
})
