import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scopes } from '../../../src/contract/prices.ts'
import { axeFindings } from '../../support/browser/axe.ts'
import { launchChromium, runsBrowser } from '../../support/browser/chromium.ts'
import { type ConsoleGateway, startConsoleGateway } from '../../support/browser/console-gateway.ts'
import { sessionWriter, stepsOf } from '../../support/browser/console-steps.ts'
import { visitConsole } from '../../support/browser/console-visit.ts'

const halfADaySeconds = 12 * 3600

/** For a busy machine. */
const patienceMs = 10_000

describe.runIf(runsBrowser)('keys in the console', { timeout: 60_000 }, () => {
  let gateway: ConsoleGateway
  let browser: Browser
  beforeAll(async () => {
    ;[gateway, browser] = await Promise.all([startConsoleGateway(), launchChromium()])
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
  })

  async function atKeys() {
    const visit = await visitConsole(browser, gateway.origin)
    const steps = stepsOf(visit, gateway.codeFor)
    const person = await steps.arrive()
    await steps.goTo('keys')
    const shownKey = visit.page.getByLabel(visit.text.keys.plaintext, { exact: true })
    /** Up to the dialog that shows the key. */
    async function createKey(): Promise<string> {
      await steps.button(visit.text.keys.create).click()
      await steps.button(visit.text.keys.submit).click()
      return shownKey.inputValue()
    }
    return { ...visit, steps, person, shownKey, createKey }
  }

  const focused = (page: Page) => page.evaluate('document.activeElement?.tagName')

  test('going back keeps a new key in sight until it is dismissed', async () => {
    const { page, text, shownKey, createKey, context } = await atKeys()
    const key = await createKey()
    await page.goBack()
    await page.getByRole('heading', { name: text.overview.title, level: 1, includeHidden: true }).waitFor()
    expect(await shownKey.inputValue()).toBe(key)
    await context.close()
  })

  test('signing out in another tab keeps a new key in sight', async () => {
    const { page, text, shownKey, createKey, context } = await atKeys()
    const key = await createKey()
    const other = await visitConsole(browser, gateway.origin, { context })
    await other.open('/console/account')
    await other.page.getByRole('button', { name: text.account.signOut, exact: true }).click()
    await page.getByRole('heading', { name: text.auth.signIn.title, includeHidden: true }).waitFor()
    expect(await shownKey.inputValue()).toBe(key)
    await context.close()
  })

  test('a session that ends keeps a new key in sight', async () => {
    const { page, text, shownKey, createKey, context } = await atKeys()
    await page.clock.install()
    const key = await createKey()
    gateway.advanceSeconds(halfADaySeconds + 1)
    // The balance is read again by then.
    await page.clock.runFor(31_000)
    await page.getByRole('heading', { name: text.auth.signIn.title, includeHidden: true }).waitFor()
    expect(await shownKey.inputValue()).toBe(key)
    await context.close()
  })

  test('closing the tab asks first while a new key is neither copied nor dismissed', async () => {
    const { page, steps, text, createKey, context } = await atKeys()
    await createKey()
    const asked = page.waitForEvent('dialog', { timeout: 5000 })
    await page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await page.getByLabel(text.keys.saved).check()
    await steps.button(text.keys.finish).click()
    const closed = page.waitForEvent('close')
    await page.close({ runBeforeUnload: true })
    await closed
    await context.close()
  })

  test('the key past the most active ones says what the limit is and how to free one', async () => {
    const { page, steps, text, context, origin } = await atKeys()
    const write = sessionWriter(context, origin)
    for (let count = 0; count < 50; count++) await write('/v1/keys', { scopes: ['pick:read'] })
    await steps.button(text.keys.create).click()
    await steps.button(text.keys.submit).click()
    await page
      .getByText(/50 active keys/)
      .first()
      .waitFor()
    expect(await page.getByText(text.errors.RATE_LIMITED).count()).toBe(0)
    await context.close()
  })

  test('the focus stays on the page after a key was created and after one was revoked', async () => {
    const { page, steps, text, createKey, context } = await atKeys()
    await createKey()
    await page.getByLabel(text.keys.saved).check()
    await steps.button(text.keys.finish).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => focused(page), { timeout: patienceMs }).not.toBe('BODY')
    await page.getByRole('button', { name: new RegExp(`^${text.keys.revoke} gk_live_`) }).click()
    await page.getByRole('dialog').getByRole('button', { name: text.keys.revoke, exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: new RegExp(`^${text.keys.revoke} gk_live_`) }).waitFor({ state: 'detached' })
    await expect.poll(() => focused(page), { timeout: patienceMs }).not.toBe('BODY')
    await context.close()
  })

  test('each key takes one line whatever it may do, and a search finds one', async () => {
    const { page, text, context, origin, open } = await atKeys()
    const write = sessionWriter(context, origin)
    const { displayPrefix } = await write('/v1/keys', { scopes: [...scopes] })
    for (let count = 1; count < scopes.length; count++) await write('/v1/keys', { scopes: scopes.slice(0, count) })
    await open('/console/keys')
    const rows = page.locator('tbody tr')
    await expect.poll(() => rows.count(), { timeout: patienceMs }).toBe(scopes.length)
    const heights = await Promise.all((await rows.all()).map(async (row) => (await row.boundingBox())!.height))
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(2)
    expect(await page.getByText(text.keys.allScopes, { exact: true }).count()).toBe(1)
    await page.getByLabel(text.keys.search).fill(displayPrefix!.slice(-4))
    await expect.poll(() => rows.count(), { timeout: patienceMs }).toBe(1)
    await context.close()
  })

  test('axe finds nothing on an empty list, in the dialogs and among revoked keys', async () => {
    const { page, steps, text, createKey, context } = await atKeys()
    expect(await axeFindings(page)).toEqual([])
    await steps.button(text.keys.create).click()
    await steps.button(text.keys.submit).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await createKey()
    expect(await axeFindings(page)).toEqual([])
    await page.getByLabel(text.keys.saved).check()
    await steps.button(text.keys.finish).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: new RegExp(`^${text.keys.revoke} gk_live_`) }).click()
    await page.getByText(text.keys.revokeTitle).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await context.close()
  })
})
