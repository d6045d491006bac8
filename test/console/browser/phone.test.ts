import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium, runsBrowser } from '../../support/browser/chromium.ts'
import { type ConsoleGateway, startConsoleGateway } from '../../support/browser/console-gateway.ts'
import { stepsOf } from '../../support/browser/console-steps.ts'
import { visitConsole } from '../../support/browser/console-visit.ts'

describe.runIf(runsBrowser)('the console on a phone', { timeout: 60_000 }, () => {
  let gateway: ConsoleGateway
  let browser: Browser
  beforeAll(async () => {
    ;[gateway, browser] = await Promise.all([startConsoleGateway(), launchChromium()])
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
  })

  /** Safari on iOS zooms into any field with smaller text. */
  const smallFields = (page: Page) =>
    page.evaluate(`[...document.querySelectorAll('input:not([type=checkbox], [type=radio]), select, textarea')]
      .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
      .map(({ outerHTML }) => outerHTML)`)

  test('no field makes the browser zoom', async () => {
    const visit = await visitConsole(browser, gateway.origin, { width: 360 })
    const { page, text, open } = visit
    for (const path of ['/sign-in', '/register']) {
      await open(`/console${path}`)
      expect(await smallFields(page)).toEqual([])
    }
    await stepsOf(visit, gateway.codeFor).arrive()
    for (const path of ['/recharge', '/usage', '/keys', '/playground', '/playground/pick.compare']) {
      await open(`/console${path}`)
      await page.getByLabel(text.common.loading).first().waitFor({ state: 'detached' })
      expect(await smallFields(page)).toEqual([])
    }
    await visit.context.close()
  })

  test('Escape closes the menu and gives the focus back to its button', async () => {
    const visit = await visitConsole(browser, gateway.origin, { width: 360 })
    const { page, text } = visit
    await stepsOf(visit, gateway.codeFor).arrive()
    const menu = page.getByRole('button', { name: text.nav.menu, exact: true })
    await menu.click()
    await page.getByRole('navigation').getByRole('link').first().focus()
    await page.keyboard.press('Escape')
    await page.getByRole('navigation').waitFor({ state: 'hidden' })
    expect(await menu.and(page.locator(':focus')).count()).toBe(1)
    await visit.context.close()
  })
})
