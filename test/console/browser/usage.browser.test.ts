import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { sessionWriter } from '../../../testkit/browser/console-steps.ts'
import { looks } from '../../../testkit/browser/looks.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import type { SeededCharge } from '../../../testkit/store/seed-charges.ts'

const dayMs = 86_400_000
const operations = ['model.chat', 'pick.search', 'shopping.search', 'agent.run', 'pick.compare', 'pick.links'] as const

/** Two calls a day for 40 days, the newest today; a fifth of them released. */
const charges: SeededCharge[] = Array.from({ length: 80 }, (_, i) => ({
  at: Date.now() - Math.floor((79 - i) / 2) * dayMs - 60_000,
  operation: operations[i % operations.length]!,
  state: i % 5 === 0 ? 'released' : 'settled',
}))

describe.runIf(runsBrowser)('the usage page', () => {
  const site = setUpConsole()
  let shared: Awaited<ReturnType<typeof site.withHistory>>
  beforeAll(async () => {
    shared = await site.withHistory(charges)
  })

  /** The person with the 80 calls opens the page anew. */
  async function visit({ path = '/console/usage', width = 1280 } = {}) {
    await shared.page.setViewportSize({ width, height: 900 })
    await shared.enter(path)
    return shared
  }

  /** Presets are in the menu of the first chip. */
  async function choosePeriod(page: Page, name: string) {
    await page.getByRole('button', { name: new RegExp(`^${shared.text.log.period}`) }).click()
    await page.getByRole('button', { name, exact: true }).click()
  }
  const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
  const calls = (page: Page) => page.locator('#content tbody tr:has(a[href*="/usage/chg_"])')
  const bars = (page: Page) => page.getByRole('button', { name: /\d credits?, / })

  test('an exported file has exactly the calls that match the filters', async () => {
    const { page, text, faults } = await visit()
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
  })

  test('with a longer period the keyboard still enters the chart at today', async () => {
    const { page } = await visit()
    const entered = () => page.locator('#content ul button[tabindex="0"]').getAttribute('aria-label')
    await bars(page).first().waitFor()
    const today = await entered()
    await choosePeriod(page, shared.text.tables.presets.days90)
    await expect.poll(() => bars(page).count()).toBe(90)
    await expect.poll(entered).toBe(today)
  })

  test('choosing a chosen day again deselects it', async () => {
    const { page } = await visit()
    const day = bars(page).nth(20)
    await day.click()
    await expect.poll(() => calls(page).count()).toBe(2)
    await expect.poll(() => day.getAttribute('aria-pressed')).toBe('true')
    await day.click()
    await expect.poll(() => calls(page).count()).toBe(25)
    await expect.poll(() => searchOf(page)).toEqual({})
  })

  test('after showing older calls the focus is on the first of them', async () => {
    const { page, text } = await visit()
    const older = page.getByRole('button', { name: text.common.loadMore })
    await older.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => calls(page).count()).toBe(50)
    await expect
      .poll(() => calls(page).nth(25).locator(':focus').count(), { message: 'the focus is in the 26th row' })
      .toBe(1)
  })

  test('the table of the chart is rendered only while open, one row per day', async () => {
    const { page, text } = await visit()
    await bars(page).first().waitFor()
    await expect.poll(() => page.getByRole('table', { includeHidden: true }).count()).toBe(1)
    await choosePeriod(page, shared.text.tables.presets.days90)
    await expect.poll(() => bars(page).count()).toBe(90)
    await page.getByRole('button', { name: text.log.unfold, exact: true }).click()
    await page.getByText(text.usage.asTable).click()
    const rows = page.locator('details tbody tr')
    await rows.first().waitFor()
    await expect.poll(() => rows.count()).toBe(40)
    expect(await page.locator('details').evaluate((element) => element.clientHeight)).toBeLessThan(700)
  })

  test('a period that ends before it begins is an error, not an empty list', async () => {
    const { page, text } = await visit({ path: '/console/usage?from=2026-10-20&to=2026-10-01' })
    await page.getByText(text.tables.backwards).first().waitFor()
    await expect.poll(() => page.getByText(text.usage.none).count()).toBe(0)
  })

  test('the way back from a call leads to the same filters', async () => {
    const { page, text } = await visit({ path: '/console/usage?state=released' })
    await calls(page).first().getByRole('link').click()
    const drawer = page.getByRole('dialog', { name: text.chargeDetails.title })
    await drawer.getByRole('link', { name: text.log.openPage }).click()
    await page.getByRole('heading', { name: text.chargeDetails.title, level: 1 }).waitFor()
    await page.goBack()
    await drawer.waitFor()
    await page.goBack()
    await expect.poll(() => drawer.count()).toBe(0)
    await expect.poll(() => searchOf(page)).toEqual({ state: 'released' })
  })

  test('a filter does not move the table', async () => {
    const { page, text } = await visit()
    // In the page, not in the window: the browser may scroll to make up for it.
    const top = async () => (await calls(page).first().boundingBox())!.y + ((await page.evaluate('scrollY')) as number)
    await calls(page).first().waitFor()
    const before = await top()
    await page.getByLabel(text.usage.state, { exact: true }).selectOption('settled')
    await expect.poll(() => searchOf(page)).toEqual({ state: 'settled' })
    await expect.poll(() => calls(page).count()).toBe(25)
    await expect.poll(top).toBe(before)
  })

  test('a call is found by its charge id and by its request id', async () => {
    const { page, text, history } = await visit()
    const search = page.getByLabel(text.usage.search, { exact: true })
    const [wanted] = history.chargeIds
    await search.fill(wanted!)
    await search.press('Enter')
    await expect.poll(() => calls(page).count()).toBe(1)
    await calls(page).first().locator(`a[href$="${wanted}"]`).waitFor()
    await expect.poll(() => searchOf(page)).toEqual({ id: wanted })
    await search.fill('chg_')
    await search.press('Enter')
    await page.getByText(text.usage.searchWrong).waitFor()
    await expect.poll(() => search.getAttribute('aria-invalid')).toBe('true')
  })

  test('the chart follows the filters, and a preset names its days', async () => {
    const { page, text } = await visit()
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Shanghai' }).format(new Date())
    await choosePeriod(page, text.tables.presets.days7)
    await expect.poll(() => bars(page).count()).toBe(7)
    await expect.poll(() => searchOf(page).to).toBe(today)
    await page.getByLabel(text.usage.state, { exact: true }).selectOption('released')
    await page.getByRole('heading', { name: text.usage.charts.released }).waitFor()
    const released = charges.slice(-14).filter(({ state }) => state === 'released').length
    await expect.poll(() => calls(page).count()).toBe(released)
    await expect.poll(() => page.getByRole('button', { name: /, 1 call$/ }).count()).toBe(released)
    await choosePeriod(page, text.tables.presets.thisMonth)
    await expect
      .poll(() => searchOf(page))
      .toMatchObject({ from: `${today.slice(0, 8)}01`, to: today, state: 'released' })
    await page.getByRole('button', { name: text.tables.clear }).click()
    await expect.poll(() => searchOf(page)).toEqual({})
  })

  test('the tooltip of a bar lists four operations and the rest, in credits and yuan', async () => {
    const once = operations.map((operation, i) => ({ at: Date.now() - 60_000 + i, operation }))
    const { page, text, open } = await site.withHistory(once)
    await open('/console/usage')
    await bars(page).last().hover()
    const tip = page.locator('[aria-hidden=true]').filter({ hasText: '¥1.60' })
    await tip.first().waitFor()
    const lines = await tip.first().locator('li').allTextContents()
    expect(lines).toEqual([
      `${text.operations['agent.run']}5`,
      `${text.operations['model.chat']}3`,
      `${text.operations['shopping.search']}2`,
      `${text.operations['pick.compare']}3`,
      `${text.usage.others}3`,
    ])
  })

  test('on a phone 90 days are whole weeks, and choosing one shows its days', async () => {
    const { page, text } = await visit({ width: 360 })
    await choosePeriod(page, text.tables.presets.days90)
    await expect.poll(() => bars(page).count()).toBeLessThanOrEqual(14)
    const widths = await bars(page).evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().width))
    expect(Math.min(...widths)).toBeGreaterThan(12)
    await bars(page).nth(10).click()
    await expect.poll(() => bars(page).count()).toBe(7)
    await expect.poll(() => calls(page).count()).toBe(14)
  })

  test('times on the usage page show seconds but not the current year, and an ID is copied whole', async () => {
    const { page, text, history } = await visit()
    await page.evaluate(`localStorage.setItem('console-log-look', '{"columns":["charge"]}')`)
    await page.reload()
    const row = calls(page).first()
    await row.waitFor()
    await expect.poll(() => row.locator('time').textContent()).toMatch(/^\d\d-\d\d \d\d:\d\d:\d\d$/)
    const id = history.chargeIds.at(-1)!
    await row.getByRole('button', { name: `${text.common.copy}: ${text.usage.charge} ${id}` }).click()
    await row.getByRole('button', { name: text.common.copied }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(id)
  })

  test('at 1920 px the page uses the width', async () => {
    const { page } = await visit({ width: 1920 })
    await calls(page).first().waitFor()
    expect((await page.getByRole('table').boundingBox())!.width).toBeGreaterThan(1400)
  })

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
      await page.getByRole('link', { name: /PROVIDER_UNAVAILABLE/ }).click()
      await page.waitForURL('**/usage?*reason=PROVIDER_UNAVAILABLE')
      const rows = page.getByRole('row').filter({ hasText: text.operations['model.chat'] })
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
