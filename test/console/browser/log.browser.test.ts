import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkAxe } from '../../../testkit/browser/check-page.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { sessionWriter } from '../../../testkit/browser/console-steps.ts'
import { texts } from '../../../testkit/browser/console-visit.ts'
import { looks } from '../../../testkit/browser/looks.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import { tick, untick } from '../../../testkit/browser/tick.ts'
import { isFullMatrix } from '../../../testkit/store/engines.ts'
import type { SeededCharge } from '../../../testkit/store/seed-charges.ts'

/** 1,300 calls, some of them failed, the newest a minute ago. */
const charges: SeededCharge[] = Array.from({ length: 1300 }, (_, i) => ({
  at: Date.now() - (1300 - i) * 60_000,
  ...(i % 10 === 0 && { state: 'released', reason: 'PROVIDER_UNAVAILABLE' }),
}))

const languages = ['en-US', 'zh-CN'] as const
type Language = (typeof languages)[number]
const oneOf = (language: Language): readonly Language[] => (isFullMatrix ? languages : [language])
const secretWord = 'zucchini-4711'

describe.runIf(runsBrowser)('the log of calls', () => {
  const site = setUpConsole()
  const people = new Map<string, Awaited<ReturnType<typeof site.withHistory>>>()
  beforeAll(async () => {
    for (const language of languages) people.set(language, await site.withHistory(charges, { language }))
  })

  async function visit(language: Language, width: number, path = '/console/usage') {
    const shared = people.get(language)!
    await shared.page.setViewportSize({ width, height: 900 })
    await shared.enter(path)
    return { ...shared, text: texts[language] }
  }
  const rows = (page: Page) => page.locator('#content tbody tr:has(a[href*="/usage/chg_"])')
  const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
  const call = ({ gateway }: typeof site, apiKey: string, body: object = { prompt: secretWord }) =>
    fetch(`${gateway.origin}/v1/models/chat`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': `intent ${Math.random()}`,
      },
      body: JSON.stringify(body),
    })

  test.each(looks('narrow'))(
    'a call opens in a drawer and every way closes it, in $language at $width px',
    async ({ language, width }) => {
      const { page, text, open, faults } = await visit(language, width)
      const drawer = page.getByRole('dialog', { name: text.chargeDetails.title })
      const link = rows(page).nth(2).getByRole('link')
      const chargeId = /chg_\w+/.exec((await link.getAttribute('href'))!)![0]
      await link.focus()
      await page.keyboard.press('Enter')
      await drawer.getByText(chargeId).first().waitFor()
      await expect.poll(() => searchOf(page)).toEqual({ call: chargeId })
      expect(await drawer.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
      await page.keyboard.press('Escape')
      await expect.poll(() => drawer.count()).toBe(0)
      await expect.poll(() => link.evaluate((element) => element.matches(':focus'))).toBe(true)
      await expect.poll(() => searchOf(page)).toEqual({})
      await link.click()
      await drawer.waitFor()
      await drawer.getByRole('button', { name: text.log.older }).click()
      await expect.poll(() => searchOf(page).call).not.toBe(chargeId)
      await page.goBack()
      await expect.poll(() => drawer.count()).toBe(0)
      await expect.poll(() => searchOf(page)).toEqual({})
      // A link to an open drawer works, and closing it stays on the page.
      await open(`/console/usage?call=${chargeId}`)
      await drawer.getByText(chargeId).first().waitFor()
      await drawer.getByRole('button', { name: text.common.close }).click()
      await expect.poll(() => searchOf(page)).toEqual({})
      expect(faults).toEqual([])
    },
  )

  test.each(oneOf('en-US'))('columns and density are chosen and kept, in %s', async (language) => {
    const { page, text, open } = await visit(language, 1280)
    const head = (name: string) => page.getByRole('columnheader', { name, exact: true })
    for (const name of [text.log.model, text.log.latency, text.log.error, text.usage.key]) await head(name).waitFor()
    await rows(page).filter({ hasText: 'PROVIDER_UNAVAILABLE' }).first().waitFor()
    await expect.poll(() => rows(page).first().textContent()).toMatch(/20 (ms|毫秒)/)
    const before = (await rows(page).first().boundingBox())!.height
    await page.getByRole('button', { name: text.log.look, exact: true }).click()
    const panel = page.getByRole('dialog', { name: text.log.look })
    await untick(panel.getByLabel(text.log.model))
    await panel.getByText(text.log.compact, { exact: true }).click()
    await expect.poll(() => head(text.log.model).count()).toBe(0)
    await page.keyboard.press('Escape')
    await open('/console/usage')
    await rows(page).first().waitFor()
    await expect.poll(() => head(text.log.model).count()).toBe(0)
    await head(text.log.latency).waitFor()
    expect((await rows(page).first().boundingBox())!.height).toBeLessThan(before)
    // The head stays in sight when the log scrolls.
    await page.setViewportSize({ width: 1280, height: 400 })
    await rows(page)
      .nth(24)
      .evaluate((row) => row.scrollIntoView({ block: 'start' }))
    await expect.poll(async () => (await rows(page).first().boundingBox())!.y).toBeLessThan(0)
    await expect.poll(async () => (await head(text.log.latency).boundingBox())!.y).toBeGreaterThanOrEqual(0)
    await page.evaluate('localStorage.clear()')
  })

  test.each(oneOf('zh-CN'))('ten calls are in sight on a laptop, below a chart of 120 px, in %s', async (language) => {
    const { page, text } = await visit(language, 1280)
    await page.setViewportSize({ width: 1280, height: 800 })
    const bottom = async () => {
      const { y, height } = (await rows(page).nth(9).boundingBox())!
      return y + height
    }
    await rows(page).nth(9).waitFor()
    await expect.poll(bottom).toBeLessThanOrEqual(800)
    // No filter is cut off: the bar wraps.
    const line = page.getByRole('group', { name: text.tables.filters })
    expect(await line.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
    const chart = page.locator('#content section', { has: page.getByRole('button', { name: text.log.unfold }) })
    expect((await chart.boundingBox())!.height).toBeLessThanOrEqual(120)
    await page.getByLabel(text.log.split).selectOption('key')
    await page.getByLabel(text.log.form).selectOption('line')
    await page.getByRole('button', { name: text.log.unfold }).click()
    await page
      .locator('#content li', { hasText: /gk_live_/ })
      .first()
      .waitFor()
    await expect.poll(() => page.locator('#content svg polyline').count()).toBeGreaterThan(0)
    await page.evaluate('localStorage.clear()')
  })

  test.each(oneOf('en-US'))('back undoes a chosen filter, in %s', async (language) => {
    const { page, text } = await visit(language, 1280)
    await page.getByLabel(text.usage.state, { exact: true }).selectOption('released')
    await page.getByLabel(text.usage.reason, { exact: true }).selectOption('PROVIDER_UNAVAILABLE')
    await expect.poll(() => searchOf(page)).toEqual({ state: 'released', reason: 'PROVIDER_UNAVAILABLE' })
    await page.goBack()
    await expect.poll(() => searchOf(page)).toEqual({ state: 'released' })
    await page.goBack()
    await expect.poll(() => searchOf(page)).toEqual({})
    expect(await page.getByLabel(text.usage.state, { exact: true }).inputValue()).toBe('')
  })

  test.each(oneOf('zh-CN'))('refused calls have a list and their hours, in %s', async (language) => {
    const { page, text, history } = await visit(language, 1280)
    const refused = await call(site, history.apiKey, { nonsense: true })
    const requestId = refused.headers.get('x-request-id')!
    await page.getByText(text.log.refused, { exact: true }).click()
    await page.locator(`[title="${requestId}"]`).waitFor({ timeout: 15_000 })
    await page.getByRole('list', { name: text.log.refusedHours }).waitFor()
    await page.getByLabel(text.usage.reason, { exact: true }).selectOption('UNKNOWN_FIELDS')
    await expect.poll(() => searchOf(page)).toEqual({ list: 'refused', code: 'UNKNOWN_FIELDS' })
    await page.goBack()
    await expect.poll(() => searchOf(page)).toEqual({ list: 'refused' })
  })

  test.each(oneOf('zh-CN'))('the filters are one line on a phone, in %s', async (language) => {
    for (const width of [360]) {
      const { page, text } = await visit(language, width)
      const line = page.getByRole('group', { name: text.tables.filters })
      await line.waitFor()
      const tops = await line.locator('> *:visible').evaluateAll((all) =>
        all.map((one) => {
          const { top, bottom } = one.getBoundingClientRect()
          return Math.round((top + bottom) / 2)
        }),
      )
      expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(4)
      await page.getByLabel(text.usage.reason, { exact: true }).selectOption('PROVIDER_UNAVAILABLE')
      await expect.poll(() => searchOf(page)).toEqual({ reason: 'PROVIDER_UNAVAILABLE' })
      await expect.poll(() => rows(page).count()).toBe(25)
      await expect.poll(() => rows(page).filter({ hasText: 'PROVIDER_UNAVAILABLE' }).count()).toBe(25)
      await page.getByRole('button', { name: text.tables.clear }).click()
      await expect.poll(() => searchOf(page)).toEqual({})
    }
  })

  test.each(oneOf('en-US'))('the live log shows new calls and pauses while it is scrolled, in %s', async (language) => {
    const { page, text, history } = await visit(language, 1280)
    await rows(page).first().waitFor()
    await page.getByRole('button', { name: text.log.live }).click()
    await page.getByText(text.log.liveOn).waitFor()
    const response = await call(site, history.apiKey)
    const chargeId = response.headers.get('x-charge-id')!
    await rows(page).first().locator(`a[href$="${chargeId}"]`).waitFor()
    await expect.poll(() => rows(page).first().textContent()).toContain('model_provider_a/')
    await expect.poll(() => rows(page).first().textContent()).toMatch(/\d ms/)
    await rows(page)
      .nth(20)
      .evaluate((row) => row.scrollIntoView({ block: 'start' }))
    await page.getByText(text.log.livePaused).waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const later = (await call(site, history.apiKey)).headers.get('x-charge-id')!
    expect(await page.locator(`a[href$="${later}"]`).count()).toBe(0)
    expect(asked).not.toContain('/v1/console/usage')
    await page.evaluate('scrollTo(0, 0)')
    await page.locator(`a[href$="${later}"]`).waitFor()
  })

  test.each(looks('wide'))(
    'Ctrl-K finds calls, keys, pages and actions by keyboard, in $language at $width px',
    async ({ language, width }) => {
      const { page, text, history, faults } = await visit(language, width)
      const dialog = page.getByRole('dialog', { name: text.search.open })
      const options = dialog.getByRole('option')
      await page.keyboard.press('Control+k')
      await options.first().waitFor()
      await page.keyboard.type(history.chargeIds[5]!)
      await options.filter({ hasText: history.chargeIds[5]! }).waitFor()
      await page.keyboard.press('Enter')
      await expect.poll(() => searchOf(page)).toEqual({ call: history.chargeIds[5]! })
      await page.keyboard.press('Escape')
      await expect.poll(() => searchOf(page)).toEqual({})
      await page.keyboard.press('Control+k')
      await page.keyboard.type(text.search.failedCalls)
      await expect.poll(() => options.count()).toBe(1)
      await page.keyboard.press('Enter')
      await expect.poll(() => searchOf(page)).toEqual({ state: 'released' })
      await page.keyboard.press('Control+k')
      await page.keyboard.type('gk_live')
      await options.filter({ hasText: 'key_' }).first().waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: text.keys.editTitle }).waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await page.keyboard.type('chg_none')
      await dialog.getByText(text.search.none).waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => dialog.count()).toBe(0)
      expect(faults).toEqual([])
    },
  )

  test.each(oneOf('zh-CN'))('a key keeps what its calls said, and the drawer shows it, in %s', async (language) => {
    const { page, text, history, context, origin, open } = await visit(language, 1280, '/console/keys')
    await page.evaluate('localStorage.clear()')
    const edit = text.keys.editLabel.split('{{')[0]!.trim()
    await page.getByRole('button', { name: edit }).first().click()
    await page.getByRole('dialog').getByLabel(text.keys.name, { exact: true }).fill('Shop assistant')
    await tick(page.getByRole('dialog').getByLabel(text.keys.logsContent))
    await page.getByRole('dialog').getByRole('button', { name: text.keys.save }).click()
    await expect.poll(() => page.getByRole('dialog').allTextContents()).toEqual([])
    const chargeId = (await call(site, history.apiKey)).headers.get('x-charge-id')!
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 })
      await open(`/console/usage?call=${chargeId}`)
      const drawer = page.getByRole('dialog', { name: text.chargeDetails.title })
      await drawer.getByRole('button', { name: text.log.show }).click()
      await drawer.locator('pre', { hasText: secretWord }).first().waitFor()
      expect(await drawer.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
      await checkAxe(page)
    }
    await sessionWriter(context, origin)(`/v1/console/keys/${history.keyId}/update`, { logsContent: false })
  })
})
