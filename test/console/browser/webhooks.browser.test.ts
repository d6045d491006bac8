import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkAxe } from '../../../testkit/browser/check-page.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { sessionWriter } from '../../../testkit/browser/console-steps.ts'
import { looks } from '../../../testkit/browser/looks.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import { tick, untick } from '../../../testkit/browser/tick.ts'
import { openDatabase } from '../../../testkit/store/engines.ts'
import { type Receiver, responders, startReceiver } from '../../../testkit/webhooks/receiver.ts'

const say = (sentence: string, values: Record<string, string>) =>
  sentence.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name]!)

describe.runIf(runsBrowser)('webhooks in the console', () => {
  const site = setUpConsole()
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())

  test.each(looks('narrow'))(
    'a webhook is added, tested, sent to again, rotated, disabled with its reason, enabled and deleted, in $language at $width px',
    async (look) => {
      receiver.requests.length = 0
      receiver.respond = responders.accepted
      const { page, steps, text, origin, context, faults } = await site.signedIn(look)
      const { webhooks } = text
      const dialog = page.getByRole('dialog')
      const shown = (words: string) => page.getByText(words, { exact: true }).first().waitFor()
      const requests = (count: number) => expect.poll(() => receiver.requests.length).toBe(count)
      const keepSecret = async () => {
        const secret = await dialog.getByLabel(webhooks.secret, { exact: true }).inputValue()
        await tick(dialog.getByLabel(webhooks.secretSaved))
        await steps.button(webhooks.done).click()
        await dialog.waitFor({ state: 'detached' })
        return secret
      }
      await steps.goTo('webhooks')
      await shown(webhooks.none)

      await steps.button(webhooks.create).click()
      const url = dialog.getByLabel(webhooks.url, { exact: true })
      await url.fill('https://169.254.169.254/')
      await steps.button(webhooks.submit).click()
      await dialog.getByText(text.errors.INVALID_URL).waitFor()
      await url.fill(`${receiver.origin}/hooks`)
      await tick(dialog.getByLabel(text.events.types['key.created'], { exact: true }))
      await steps.button(webhooks.submit).click()
      const secret = await keepSecret()
      expect(secret).toMatch(/^whsec_/)

      await steps.button(webhooks.test).click()
      await requests(1)
      await shown(webhooks.statuses.delivered)
      await page.getByText(/^204 · /).waitFor()
      await page.getByRole('button', { name: new RegExp(`^${webhooks.redeliver}.*evt_`) }).click()
      await requests(2)
      expect(receiver.requests[1]!.headers['webhook-id']).toBe(receiver.requests[0]!.headers['webhook-id'])

      const choose = async (name: string) => {
        await page.getByRole('button', { name: say(webhooks.moreLabel, { url: `${receiver.origin}/hooks` }) }).click()
        await page.getByRole('menuitem', { name, exact: true }).click()
      }
      await choose(webhooks.rotate)
      await dialog.getByRole('button', { name: webhooks.rotate, exact: true }).click()
      expect(await keepSecret()).not.toBe(secret)

      await choose(webhooks.edit)
      await untick(dialog.getByLabel(text.events.types['credits.low'], { exact: true }))
      await steps.button(webhooks.save).click()
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => page.getByText(text.events.types['credits.low'], { exact: true }).count()).toBe(0)

      receiver.respond = responders.failed
      const write = sessionWriter(context, origin)
      const order = await write('/v1/orders', { amountFen: 1000 }, { 'idempotency-key': 'order' })
      await write(`/v1/orders/${order.orderId}/confirm`, {})
      await requests(3)
      // The payload and the response can be read, and the list filtered by type.
      const type = page.getByLabel(webhooks.type, { exact: true })
      await type.waitFor()
      await type.selectOption('order.credited')
      const rows = page.getByRole('table', { name: webhooks.deliveries }).locator('tbody tr')
      await expect.poll(() => rows.count()).toBe(1)
      await rows.getByRole('button', { name: new RegExp(`^${text.events.types['order.credited']}.*evt_`) }).click()
      await dialog.getByText('"order.credited"').waitFor()
      await expect.poll(() => dialog.locator('pre').last().textContent()).toBe('no')
      expect(await dialog.textContent()).not.toContain('whsec_')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await disableAll()
      await page.reload()
      await shown(webhooks.states.disabled)
      await shown(webhooks.reasons.failing)
      await shown(webhooks.faults.status)
      await checkAxe(page)

      // It may have been tried again before it was disabled.
      const attempts = receiver.requests.length
      receiver.respond = responders.accepted
      await steps.button(webhooks.enable).click()
      await shown(webhooks.states.enabled)
      // What waited is sent at once.
      await requests(attempts + 1)
      expect(receiver.requests.at(-1)!.body).toBe(receiver.requests[2]!.body)
      await expect.poll(() => page.getByText(webhooks.statuses.waiting, { exact: true }).count()).toBe(0)

      await choose(webhooks.delete)
      await dialog.getByRole('button', { name: webhooks.delete, exact: true }).click()
      await shown(webhooks.none)
      expect(faults).toEqual([])
    },
  )

  /** As after three days of failures; the session would not last that long. */
  async function disableAll() {
    const store = await openDatabase(site.gateway.database, { exclusive: false })
    await store.write((tx) =>
      tx.run("UPDATE webhooks SET state = 'disabled', disabled_reason = 'failing', disabled_at = $1", [Date.now()]),
    )
    await store.close()
  }
})
