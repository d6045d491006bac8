import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { scopes } from '../../../src/contract/prices.ts'
import { checkAxe } from '../../../testkit/browser/check-page.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { sessionWriter } from '../../../testkit/browser/console-steps.ts'
import { looks } from '../../../testkit/browser/looks.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import { tick, untick } from '../../../testkit/browser/tick.ts'

const halfADaySeconds = 12 * 3600
const mostActiveKeys = 50
const rowLimitPx = 70
const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString()

describe.runIf(runsBrowser)('keys in the console', () => {
  const site = setUpConsole()

  async function atKeys() {
    const visit = await site.visit({ isolated: true })
    const { steps } = visit
    await steps.arrive()
    await steps.goTo('keys')
    const shownKey = visit.page.getByLabel(visit.text.keys.plaintext, { exact: true })
    /** Up to the dialog that shows the key. */
    async function createKey(): Promise<string> {
      await steps.button(visit.text.keys.create).click()
      await steps.button(visit.text.keys.submit).click()
      return shownKey.inputValue()
    }
    return { ...visit, shownKey, createKey }
  }

  const focused = (page: Page) => page.evaluate('document.activeElement?.tagName')

  test('a new key stays visible after going back and signing out elsewhere, and closing the tab asks first', async () => {
    const { page, text, steps, shownKey, createKey, context } = await atKeys()
    const key = await createKey()
    await page.goBack()
    await page.getByRole('heading', { name: text.overview.title, level: 1, includeHidden: true }).waitFor()
    await expect.poll(() => shownKey.inputValue()).toBe(key)

    const other = await site.visit({ context })
    await other.open('/console/account')
    await other.steps.signOut()
    await page.getByRole('heading', { name: text.auth.signIn.title, includeHidden: true }).waitFor()
    await expect.poll(() => shownKey.inputValue()).toBe(key)

    await page.bringToFront()
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await tick(page.getByLabel(text.keys.saved))
    await steps.button(text.keys.finish).click()
    const closed = page.waitForEvent('close')
    await page.close({ runBeforeUnload: true })
    await closed
  })

  test('a new key stays visible when the session ends', async () => {
    const { page, text, shownKey, createKey } = await atKeys()
    await page.clock.install()
    const key = await createKey()
    site.gateway.advanceSeconds(halfADaySeconds + 1)
    // The balance is read again by then.
    await page.clock.runFor(31_000)
    await page.getByRole('heading', { name: text.auth.signIn.title, includeHidden: true }).waitFor()
    await expect.poll(() => shownKey.inputValue()).toBe(key)
  })

  test('each key takes one line, a search finds one, and the one past the limit says how to free one', async () => {
    const { page, text, steps, context, origin, open } = await site.visit()
    await steps.signUp()
    const write = sessionWriter(context, origin)
    const create = (body: object) =>
      write('/v1/console/keys', body, { 'idempotency-key': JSON.stringify(body).slice(0, 100) })
    const settings = { budget: { credits: 1_000_000, per: 'month' }, expiresAt: inAMonth }
    const { displayPrefix } = await write('/v1/keys', { scopes: [...scopes] })
    for (let count = 1; count < scopes.length; count++) {
      const name = `${count} ${'Checkout service of the shop in Hangzhou'.repeat(2)}`.slice(0, 64)
      await create({ name, scopes: scopes.slice(0, count), ...settings })
    }
    await open('/console/keys')
    const rows = page.locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(scopes.length)
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      const heights = async () => Promise.all((await rows.all()).map(async (row) => (await row.boundingBox())!.height))
      await expect.poll(async () => Math.max(...(await heights())), { message: `${width} px` }).toBeLessThan(rowLimitPx)
    }
    await expect.poll(() => page.getByText(text.keys.allScopes, { exact: true }).count()).toBe(1)
    await page.getByLabel(text.keys.search).fill(displayPrefix!.slice(-4))
    await expect.poll(() => rows.count()).toBe(1)
    for (let count = scopes.length; count < mostActiveKeys; count++) await write('/v1/keys', { scopes: ['pick:read'] })
    await steps.button(text.keys.create).click()
    await steps.button(text.keys.submit).click()
    await page
      .getByText(new RegExp(`${mostActiveKeys} active keys`))
      .first()
      .waitFor()
    await expect.poll(() => page.getByText(text.errors.RATE_LIMITED).count()).toBe(0)
  })

  const budgetTitle = 'a key gets a budget and addresses, is changed and rotated, in $language at $width px'
  test.each(looks('wide'))(budgetTitle, async (look) => {
    const { page, steps, text, origin, context } = await site.signedIn(look)
    const { keys } = text
    const dialog = page.getByRole('dialog')
    const field = (label: string) => dialog.getByLabel(label)
    await steps.goTo('keys')
    await steps.button(keys.create).click()
    await field(keys.name).fill('Shop')
    // A first key may do everything, unless its owner decides otherwise.
    await expect
      .poll(() => dialog.getByRole('checkbox', { checked: true }).count())
      .toBeGreaterThanOrEqual(scopes.length)
    await dialog.getByText(keys.limitsFold).click()
    await field(keys.budget).first().fill('6')
    await dialog.getByLabel(keys.budgetPer, { exact: true }).selectOption('total')
    await field(keys.addresses).fill('nowhere')
    await steps.button(keys.submit).click()
    const wrong = keys.addressWrong.replace('{{line}}', '1').replace('{{entry}}', 'nowhere')
    await dialog.getByText(wrong).waitFor()
    await expect.poll(() => field(keys.addresses).getAttribute('aria-invalid')).toBe('true')
    await field(keys.addresses).fill('127.0.0.0/8\n::1')
    await steps.button(keys.submit).click()
    const apiKey = await page.getByLabel(keys.plaintext, { exact: true }).inputValue()
    await tick(page.getByLabel(keys.saved))
    await steps.button(keys.finish).click()

    const write = sessionWriter(context, origin)
    const order = await write('/v1/orders', { amountFen: 1000 }, { 'idempotency-key': 'order' })
    await write(`/v1/orders/${order.orderId}/confirm`, {})
    const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': 'call' }
    await context.request.post(`${origin}/v1/models/chat`, { data: { prompt: 'hello' }, headers })
    await page.reload()
    await page.getByText(keys.spent.total.replace('{{spent}}', '3').replace('{{credits}}', '6')).waitFor()

    await steps.button(keys.editLabel.replace('{{name}}', 'Shop')).click()
    await field(keys.budget).first().fill('9')
    await steps.button(keys.save).click()
    await page.getByText(keys.spent.total.replace('{{spent}}', '3').replace('{{credits}}', '9')).waitFor()

    await steps.button(keys.moreLabel.replace('{{name}}', 'Shop')).click()
    await page.getByRole('menuitem', { name: keys.rotate }).click()
    await field(keys.grace).selectOption('hour')
    await dialog.getByRole('button', { name: keys.rotate, exact: true }).click()
    await tick(page.getByLabel(keys.saved))
    await steps.button(keys.finish).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('timer').waitFor()
    await expect.poll(() => page.getByText('Shop', { exact: true }).count()).toBe(2)
    await steps.button(keys.editLabel.replace('{{name}}', 'Shop')).first().click()
    await dialog.getByText(keys.chain).waitFor()
    await expect.poll(() => dialog.locator('ol li').count()).toBe(2)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test.each(looks('narrow'))(
    'a key for an agent can do little, and comes with what to paste, in $language at $width px',
    async (look) => {
      const { page, steps, text, origin, context } = await site.signedIn(look)
      const { keys } = text
      const dialog = page.getByRole('dialog')
      await steps.goTo('keys')
      await steps.button(keys.agent).click()
      await tick(dialog.getByLabel(text.scopes['pick:read']))
      await steps.button(keys.submit).click()
      const apiKey = await page.getByLabel(keys.plaintext, { exact: true }).inputValue()
      for (const [client, expected] of [
        ['Claude Code', `claude mcp add --transport http gateway ${origin}/mcp`],
        ['Cursor', '"mcpServers"'],
        ['VS Code', '"servers"'],
      ] as const) {
        await dialog.getByText(client, { exact: true }).first().click()
        const shown = dialog.locator('pre')
        await expect.poll(() => shown.textContent()).toContain(expected)
        await expect.poll(() => shown.textContent()).toContain(`Bearer ${apiKey}`)
      }
      await checkAxe(page)
      const known = await context.request.get(`${origin}/v1/key`, { headers: { authorization: `Bearer ${apiKey}` } })
      const { budget, expiresAt, scopes: allowed, credits } = await known.json()
      expect(budget).toMatchObject({ credits: 50, per: 'total' })
      expect(allowed).toEqual(['models:invoke', 'pick:read'])
      expect(credits).not.toBeNull()
      expect(Date.parse(expiresAt) - Date.now()).toBeLessThan(7.1 * 86_400_000)

      await tick(page.getByLabel(keys.saved))
      await steps.button(keys.finish).click()
      await steps.button(keys.editLabel.replace('{{name}}', keys.agentName)).click()
      await untick(dialog.getByLabel(keys.showsBalance))
      await steps.button(keys.save).click()
      await dialog.waitFor({ state: 'detached' })
      const later = await context.request.get(`${origin}/v1/key`, { headers: { authorization: `Bearer ${apiKey}` } })
      expect((await later.json()).credits).toBeNull()
    },
  )

  test('from an empty list to a revoked key, the focus stays on the page', async () => {
    const { page, steps, text, createKey } = await atKeys()
    const more = page.getByRole('button', { name: /^More actions for / })
    const focusedName = () =>
      page.evaluate('document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent')
    await steps.button(text.keys.create).waitFor()
    await checkAxe(page)
    await steps.button(text.keys.create).click()
    await steps.button(text.keys.submit).waitFor()
    await page.keyboard.press('Escape')
    await createKey()
    await tick(page.getByLabel(text.keys.saved))
    await steps.button(text.keys.finish).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).not.toBe('BODY')
    await more.focus()
    await page.keyboard.press('Enter')
    await expect.poll(focusedName).toBe(text.keys.rotate)
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'hidden' })
    await expect.poll(focusedName).toMatch(/^More actions for /)
    // Escape and Enter that a busy browser handles together: the menu opens again, with the focus in it.
    await page.keyboard.press('Enter')
    await expect.poll(focusedName).toBe(text.keys.rotate)
    const together = `(() => {
      const menu = document.querySelector('[role=menu]:popover-open')
      const button = document.querySelector('[popovertarget="' + menu.id + '"]')
      menu.hidePopover()
      button.focus()
      button.click()
      return document.activeElement.textContent
    })()`
    expect(await page.evaluate(together)).toBe(text.keys.rotate)
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'hidden' })
    await page.keyboard.press('Enter')
    await expect.poll(focusedName).toBe(text.keys.rotate)
    await page.keyboard.press('ArrowDown')
    await expect.poll(focusedName).toBe(text.keys.revoke)
    await page.keyboard.press('Enter')
    await page.getByText(text.keys.revokeTitle).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(focusedName).toMatch(/^More actions for /)
    await more.click()
    await page.getByRole('menuitem', { name: text.keys.revoke }).click()
    await page.getByText(text.keys.revokeTitle).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: text.keys.revoke, exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await more.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).not.toBe('BODY')
  })
})
