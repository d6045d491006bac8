import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPage, type PageChecks } from '../../../testkit/browser/check-page.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { sessionWriter } from '../../../testkit/browser/console-steps.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import { tick } from '../../../testkit/browser/tick.ts'
import { type Receiver, responders, startReceiver } from '../../../testkit/webhooks/receiver.ts'

const charges = Array.from({ length: 30 }, (_, i) => ({ at: Date.now() - (30 - i) * 60_000 }))

describe.runIf(runsBrowser)('the dialogs, panels and states of the console', () => {
  const site = setUpConsole()
  let visit: Awaited<ReturnType<typeof site.withHistory>>
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
    receiver.respond = responders.accepted
    visit = await site.withHistory(charges)
    const write = sessionWriter(visit.context, visit.origin)
    await write('/v1/console/webhooks', { url: `${receiver.origin}/one`, types: ['key.created'] })
    await write('/v1/keys', { scopes: ['models:invoke'] })
    // High enough for every form: axe cannot judge what scrolling has cut in half.
    await visit.page.setViewportSize({ width: 1280, height: 1800 })
    await visit.open('/console')
  })
  afterAll(() => receiver.close())

  /** How each is opened; `yield` where it is to be checked. */
  const states: Record<string, () => AsyncGenerator<PageChecks | undefined>> = {
    async *keys() {
      const { page, text, go, steps } = visit
      const { keys } = text
      const dialog = page.getByRole('dialog')
      const close = async () => {
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
      }
      await go('/console/keys')
      await steps.button(keys.create).click()
      await dialog.getByText(keys.limitsFold).click()
      yield
      await steps.button(keys.submit).click()
      await dialog.getByLabel(keys.plaintext, { exact: true }).waitFor()
      yield
      await tick(page.getByLabel(keys.saved))
      await steps.button(keys.finish).click()
      await dialog.waitFor({ state: 'detached' })
      const more = page.getByRole('button', { name: /^More actions for / }).first()
      await more.click()
      await page.getByRole('menuitem', { name: keys.rotate }).waitFor()
      yield { contrast: false, fits: false }
      await page.getByRole('menuitem', { name: keys.rotate }).click()
      await dialog.getByLabel(keys.grace).selectOption('hour')
      yield
      await dialog.getByRole('button', { name: keys.rotate, exact: true }).click()
      await tick(page.getByLabel(keys.saved))
      await steps.button(keys.finish).click()
      await page.getByRole('timer').waitFor()
      await page
        .getByRole('button', { name: keys.editLabel.split('{{')[0]!.trim() })
        .first()
        .click()
      await dialog.getByLabel(keys.name, { exact: true }).waitFor()
      yield
      await close()
      await more.click()
      await page.getByRole('menuitem', { name: keys.revoke }).click()
      await page.getByText(keys.revokeTitle).waitFor()
      yield
      await close()
      await steps.button(keys.agent).click()
      await tick(dialog.getByLabel(text.scopes['pick:read']))
      yield
      await close()
    },

    async *log() {
      const { page, text, go } = visit
      const dialog = page.getByRole('dialog')
      await go('/console/usage')
      await page.locator('#content tbody tr').first().getByRole('link').first().click()
      await dialog.getByText(visit.history.chargeIds.at(-1)!).first().waitFor()
      yield
      await page.keyboard.press('Escape')
      await go(`/console/usage/${visit.history.chargeIds.at(-1)!}`)
      await page.getByRole('button', { name: text.chargeDetails.verify }).first().click()
      await page.getByText(text.proof.verified, { exact: true }).waitFor()
      yield
      await page.keyboard.press('Escape')
      await go('/console/usage')
      await page.getByRole('button', { name: text.log.look, exact: true }).click()
      await page.getByRole('dialog', { name: text.log.look }).waitFor()
      // The menu lies over the table.
      yield { contrast: false, fits: false }
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: text.search.open }).getByRole('option').first().waitFor()
      yield
      await page.keyboard.press('Escape')
    },

    async *webhooks() {
      const { page, text, go, steps } = visit
      const dialog = page.getByRole('dialog')
      await go('/console/webhooks')
      await steps.button(text.webhooks.create).click()
      await dialog.getByLabel(text.webhooks.url, { exact: true }).fill('https://169.254.169.254/')
      await steps.button(text.webhooks.submit).click()
      await dialog.getByText(text.errors.INVALID_URL).waitFor()
      yield
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page
        .getByRole('button', { name: new RegExp(`^${text.events.types['key.created']}.*evt_`) })
        .first()
        .click()
      await dialog.getByText('"key.created"').waitFor()
      yield
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    },

    async *'the panel of events'() {
      const { page, text, go } = visit
      await go('/console')
      await page.locator('header button[popovertarget]').click()
      await page.getByRole('region', { name: text.events.title }).getByRole('link').first().waitFor()
      yield { contrast: false }
      await page.keyboard.press('Escape')
    },

    async *'the cashier'() {
      const { page, text, go, steps } = visit
      await go('/console/recharge')
      await steps.pay('50').click()
      await page.getByRole('img', { name: text.payment.code }).waitFor()
      yield
      await steps.button(text.payment.paySimulated).click()
      await page.getByRole('link', { name: text.recharge.toPlayground }).waitFor()
      yield
    },

    async *'the form of alerts'() {
      const { page, text, go } = visit
      await go('/console/alerts')
      await page.getByRole('slider').press('ArrowRight')
      await page.getByText(text.alerts.unsaved).waitFor()
      yield
      await page.getByRole('button', { name: text.alerts.discard }).click()
    },
  }

  test.each(Object.keys(states))('%s: no accessibility violations, and every width fits', async (name) => {
    for await (const checks of states[name]!()) await checkPage(visit.page, checks)
    expect(visit.faults).toEqual([])
  })
})
