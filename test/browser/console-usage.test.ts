import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium, runsBrowser } from '../support/chromium.ts'
import { type ConsoleGateway, startConsoleGateway } from '../support/console-gateway.ts'
import { arriveWithHistory } from '../support/console-history.ts'
import { stepsOf } from '../support/console-steps.ts'
import { type VisitOptions, visitConsole } from '../support/console-visit.ts'
import type { SeededCharge } from '../support/seed-charges.ts'

const dayMs = 86_400_000
const operations = ['model.chat', 'pick.search', 'shopping.search', 'agent.run', 'pick.compare', 'pick.links'] as const

/** Two calls a day for 40 days, the newest today; a fifth of them released. */
const charges: SeededCharge[] = Array.from({ length: 80 }, (_, i) => ({
  at: Date.now() - Math.floor((79 - i) / 2) * dayMs - 60_000,
  operation: operations[i % operations.length]!,
  state: i % 5 === 0 ? 'released' : 'settled',
}))

describe.runIf(runsBrowser)('the usage page', { timeout: 60_000 }, () => {
  let gateway: ConsoleGateway
  let browser: Browser
  beforeAll(async () => {
    ;[gateway, browser] = await Promise.all([startConsoleGateway(), launchChromium()])
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
  })

  async function visit(options: VisitOptions & { past?: SeededCharge[]; path?: string } = {}) {
    const { past = charges, path = '/console/usage', ...looks } = options
    const visited = await visitConsole(browser, gateway.origin, looks)
    const steps = stepsOf(visited, gateway.codeFor)
    const history = await arriveWithHistory(gateway, visited, steps, { charges: past, path })
    return { ...visited, steps, history }
  }

  const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
  const calls = (page: Page) => page.locator('#content tbody tr:has(a[href*="/usage/chg_"])')
  const bars = (page: Page) => page.getByRole('button', { name: /\d credits?, / })

  test('an exported file has the calls that the filters leave, and no other', async () => {
    const { page, text, faults, context } = await visit()
    await page.getByLabel(text.usage.operation, { exact: true }).selectOption('model.chat')
    await page.getByLabel(text.usage.state, { exact: true }).selectOption('released')
    await expect.poll(() => calls(page).count()).toBe(3)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: text.common.exportCsv }).click()
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines.slice(1).map((line) => line.split(',').slice(1, 4).join())).toEqual(
      Array.from({ length: 3 }, () => 'model.chat,3,released'),
    )
    expect(faults).toEqual([])
    await context.close()
  })

  test('a longer period keeps today as the place where the keyboard enters the chart', async () => {
    const { page, context } = await visit()
    const entered = () => page.locator('#content ul button[tabindex="0"]').getAttribute('aria-label')
    await bars(page).first().waitFor()
    const today = await entered()
    await page.getByText('90 days', { exact: true }).click()
    await expect.poll(() => bars(page).count()).toBe(90)
    expect(await entered()).toBe(today)
    await context.close()
  })

  test('a day that was chosen in the chart is left again by choosing it once more', async () => {
    const { page, context } = await visit()
    const day = bars(page).nth(20)
    await day.click()
    await expect.poll(() => calls(page).count()).toBe(2)
    expect(await day.getAttribute('aria-pressed')).toBe('true')
    await day.click()
    await expect.poll(() => calls(page).count()).toBe(25)
    expect(searchOf(page)).toEqual({})
    await context.close()
  })

  test('after showing older calls the focus is on the first of them', async () => {
    const { page, text, context } = await visit({ past: charges.slice(0, 30) })
    const older = page.getByRole('button', { name: text.common.loadMore })
    await older.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => calls(page).count()).toBe(30)
    await expect
      .poll(() => calls(page).nth(25).locator(':focus').count(), { message: 'the focus is in the 26th row' })
      .toBe(1)
    await context.close()
  })

  test('the numbers of the chart are in the page only while they are shown, one row a day', async () => {
    const { page, text, context } = await visit()
    await bars(page).first().waitFor()
    expect(await page.getByRole('table', { includeHidden: true }).count()).toBe(1)
    await page.getByText('90 days', { exact: true }).click()
    await expect.poll(() => bars(page).count()).toBe(90)
    await page.getByText(text.usage.asTable).click()
    const rows = page.locator('details tbody tr')
    await rows.first().waitFor()
    expect(await rows.count()).toBe(40)
    expect(await page.locator('details').evaluate((element) => element.clientHeight)).toBeLessThan(700)
    await context.close()
  })

  test('a period that ends before it begins is marked as wrong, not as without calls', async () => {
    const { page, text, context } = await visit({ path: '/console/usage?from=2026-10-20&to=2026-10-01' })
    await page.locator('input[type=date][aria-invalid=true]').first().waitFor()
    expect(await page.getByText(text.usage.none).count()).toBe(0)
    await context.close()
  })

  test('the way back from a receipt leads to the same filters', async () => {
    const { page, text, context } = await visit({ path: '/console/usage?state=released' })
    await calls(page).first().getByRole('link').click()
    await page.getByRole('heading', { name: text.receipt.title, level: 1 }).waitFor()
    await page.locator('#content a[href*="/usage"]').first().click()
    await page.getByRole('heading', { name: text.usage.title, level: 1 }).waitFor()
    expect(searchOf(page)).toEqual({ state: 'released' })
    await context.close()
  })

  test('a filter does not move the table', async () => {
    const { page, text, context } = await visit()
    // In the page, not in the window: the browser may scroll to make up for it.
    const top = () =>
      calls(page)
        .first()
        .evaluate((row) => row.getBoundingClientRect().top + scrollY)
    await calls(page).first().waitFor()
    const before = await top()
    await page.getByLabel(text.usage.state, { exact: true }).selectOption('settled')
    await expect.poll(() => searchOf(page)).toEqual({ state: 'settled' })
    await expect.poll(() => calls(page).count()).toBe(25)
    expect(await top()).toBe(before)
    await context.close()
  })
})
