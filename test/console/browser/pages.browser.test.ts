import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { seedProject } from '../../../testkit/browser/console-seed.ts'
import { type SiteVisit, setUpConsole } from '../../../testkit/browser/set-up-console.ts'

const days = 7

describe.runIf(runsBrowser)('a week of calls in the console', () => {
  const site = setUpConsole({ startDaysAgo: days })
  let visit: SiteVisit
  beforeAll(async () => {
    visit = await site.visit()
    await seedProject(site.gateway, visit, visit.steps, days)
  })

  test('a call in review is verified, and the second time against the checkpoint seen before', async () => {
    const { page, text, open, steps } = visit
    await open('/console/usage?state=manual_review')
    await page.getByRole('cell').getByRole('link').first().click()
    await page.getByText(text.chargeDetails.stillHeld).waitFor()
    await page.getByRole('link', { name: text.log.openPage }).click()
    await page.getByRole('heading', { name: text.chargeDetails.title, level: 1 }).waitFor()
    // The second time the browser has a checkpoint that it saw before.
    for (const stepsThatHold of [4, 5]) {
      await steps.button(text.chargeDetails.verify).click()
      await page.getByText(text.proof.verified, { exact: true }).waitFor()
      await expect.poll(() => page.locator('dialog ol li[data-state=holds]').count()).toBe(stepsThatHold)
      await page.keyboard.press('Escape')
    }
  })

  test('a chosen day, the filters and the exported files agree', async () => {
    const { page, text, open, faults } = visit
    await open('/console/usage')
    await page
      .getByRole('button', { name: /: [1-9]\d* credits/ })
      .first()
      .click()
    const search = () => Object.fromEntries(new URL(page.url()).searchParams)
    await expect.poll(() => search().day).toMatch(/^\d{4}-\d\d-\d\d$/)
    const { day } = search()
    await page.getByLabel(text.usage.operation, { exact: true }).selectOption('model.chat')
    await expect.poll(search).toEqual({ operation: 'model.chat', day })
    await expect.poll(() => page.getByRole('row').filter({ hasText: text.operations['model.chat'] }).count()).toBe(2)
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

  test('language and colour scheme apply immediately and are all that is stored', async () => {
    const { page, text, open } = await site.visit()
    await open('/console/sign-in')
    await page.getByText('中文').click()
    await page.getByRole('heading', { name: '登录' }).waitFor()
    await page.getByTitle('深色').click()
    await page.reload()
    await page.getByRole('heading', { name: '登录' }).waitFor()
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('zh-CN')
    await expect.poll(() => page.locator('html').getAttribute('data-color-scheme')).toBe('dark')
    await page.getByText('English').click()
    await page.getByRole('heading', { name: text.auth.signIn.title }).waitFor()
    expect(await page.evaluate('Object.keys(localStorage).sort()')).toEqual([
      'console-color-scheme',
      'console-language',
    ])
    await expect.poll(() => page.evaluate('sessionStorage.length')).toBe(0)
  })
})
