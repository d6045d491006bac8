import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkPage } from '../../support/browser/check-page.ts'
import { runsBrowser } from '../../support/browser/chromium.ts'
import { seedProject } from '../../support/browser/console-seed.ts'
import { type SiteVisit, setUpConsole } from '../../support/browser/set-up-console.ts'

const days = 7

describe.runIf(runsBrowser)('every page of the console', { timeout: 60_000 }, () => {
  const site = setUpConsole({ startDaysAgo: days })
  let visit: SiteVisit
  beforeAll(async () => {
    visit = await site.visit()
    await seedProject(site.gateway, visit, visit.steps, days)
  })

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
    const { page, text, open, faults } = visit
    await open(`/console${path}`)
    await page.locator('#content h1').waitFor()
    await page.getByLabel(text.common.loading).first().waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await checkPage(page)
  })

  test('a receipt and the dialogs hinder nobody', async () => {
    const { page, text, open, steps } = visit
    await open('/console/usage?state=manual_review')
    await page.getByRole('cell').getByRole('link').first().click()
    await page.getByText(text.receipt.stillHeld).waitFor()
    await checkPage(page)
    await steps.goTo('keys')
    await page.getByRole('button', { name: text.keys.create }).click()
    await page.getByText(text.scopes['pick:read']).waitFor()
    await checkPage(page)
  })

  test('signing in, registering and recovering hinder nobody', async () => {
    const { page, open } = await site.visit({ language: 'zh-CN' })
    for (const path of ['/sign-in', '/register', '/recover']) {
      await open(`/console${path}`)
      await checkPage(page)
    }
  })

  test('a chosen day, the filters and the exported files agree', async () => {
    const { page, text, open, faults } = visit
    await open('/console/usage')
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
  })

  test('language and colours are chosen at once and kept, and nothing else is', async () => {
    const { page, text, open } = await site.visit()
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
  })
})
