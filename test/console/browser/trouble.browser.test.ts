import { beforeAll, describe, expect, test } from 'vitest'
import { maskPhone } from '../../../src/features/identity/accounts/contacts.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import type { Visit } from '../../../testkit/browser/console-visit.ts'
import { loseResponse } from '../../../testkit/browser/lose-response.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'

const halfADaySeconds = 12 * 3600

describe.runIf(runsBrowser)('the console in trouble', () => {
  const site = setUpConsole()
  let shared: Awaited<ReturnType<typeof site.signedIn>>
  beforeAll(async () => {
    shared = await site.signedIn()
  })

  test('a write whose token another tab replaced goes through once, and signing out in one tab ends the other', async () => {
    const { page, text, steps, context, origin, refusals, faults } = await site.signedIn()
    await steps.goTo('keys')
    const other = await site.visit({ context })
    await other.open('/console/ledger')
    await page.bringToFront()
    await steps.createKey()
    await steps.button(text.keys.finish).click()
    await expect.poll(() => refusals).toEqual(['403 /v1/console/keys'])
    await expect.poll(() => page.getByRole('row', { name: /gk_live_/ }).count()).toBe(1)
    expect(faults).toEqual([])

    await steps.goTo('account')
    await steps.signOut()
    for (const tab of [page, other.page]) {
      await tab.getByText(text.auth.signIn.signedOut).waitFor()
      await expect.poll(() => new URL(tab.url()).pathname).toBe('/console/sign-in')
      await expect.poll(() => tab.locator('#content').count()).toBe(0)
    }
    expect((await context.request.get(`${origin}/v1/me`)).status()).toBe(401)
  })

  test('a server error names the request and disappears after a retry', async () => {
    const { page, text, steps } = shared
    await page.route('**/v1/console/ledger?*', (route) =>
      route.fulfill({
        status: 500,
        headers: { 'x-request-id': 'req_broken' },
        json: { error: { code: 'INTERNAL_ERROR', message: 'The service failed.' } },
      }),
    )
    await steps.goTo('ledger')
    await page.getByText(text.errors.INTERNAL_ERROR).waitFor()
    await page.getByText('req_broken').waitFor()
    await page.unroute('**/v1/console/ledger?*')
    await steps.button(text.common.tryAgain).click()
    await page.getByText(text.ledger.none).waitFor()
    await expect.poll(() => page.getByText('req_broken').count()).toBe(0)
  })

  test('without a network the page says so, sends nothing on its own later, and recovers', async () => {
    const { page, text, steps, context } = shared
    await steps.goTo('recharge')
    await context.setOffline(true)
    await page.getByText(text.trouble.offline).waitFor()
    await steps.pay('50').click()
    await page.getByText(text.recharge.unknownCreateTitle).waitFor()
    await context.setOffline(false)
    await page.getByText(text.trouble.offline).waitFor({ state: 'hidden' })
    await page.getByText(text.recharge.unknownCreateTitle).waitFor()
    expect(await orderCount(shared)).toBe(0)
    await steps.button(text.recharge.checkAgain).click()
    await steps.button(text.payment.paySimulated).waitFor()
    expect(await orderCount(shared)).toBe(1)
    await steps.button(text.payment.cancel).click()
    await steps.button(text.payment.startNew).waitFor()
  })

  test('a recharge whose responses get lost is checked safely: one order, credited once', async () => {
    const visit = await site.signedIn({ language: 'zh-CN' })
    const { page, text, steps, faults } = visit
    await steps.goTo('recharge')
    await page.route('**/v1/console/payments', loseResponse, { times: 1 })
    await steps.pay('50').click()
    await page.getByText(text.recharge.unknownCreateTitle).waitFor()
    await steps.button(text.recharge.checkAgain).click()
    await page.route('**/simulated-pay/*', loseResponse, { times: 1 })
    await steps.button(text.payment.paySimulated).click()
    await steps.button(text.payment.again).waitFor()
    expect(await orderCount(visit)).toBe(1)
    await steps.goTo('overview')
    await steps.seeSum({ bought: 500, spent: 0, reserved: 0, available: 500 })
    expect(faults.filter((fault) => !fault.includes('ERR_CONNECTION_RESET'))).toEqual([])
  })

  test('a registration whose response got lost leads to signing in, with what was typed', async () => {
    const { page, text, steps, context, origin, open } = await site.visit()
    await open('/console/register')
    await page.route('**/v1/auth/register', loseResponse, { times: 1 })
    const registering = steps.register()
    await page.getByRole('button', { name: text.auth.register.tryToSignIn }).click()
    await page.getByRole('button', { name: text.auth.signIn.submit, exact: true }).click()
    // It waits for the overview as well.
    const { phone } = await registering
    const { account } = await (await context.request.get(`${origin}/v1/me`)).json()
    expect(account.phoneMasked).toBe(maskPhone(phone))
  })

  test('a limit shows how long to wait', async () => {
    const visit = await site.visit()
    // Another tab knows nothing of the code that the first one asked for.
    const again = await site.visit({ context: visit.context })
    const { register } = visit.text.auth
    for (const { page, open } of [visit, again]) {
      await open('/console/register')
      await page.getByLabel(register.phone, { exact: true }).fill('13700000001')
      await page.getByRole('button', { name: register.sendCode }).click()
      if (page === visit.page) await page.getByText(register.codeSent).waitFor()
    }
    await again.page.getByText(/Try again in \d+ seconds\./).waitFor()
    await again.page.getByRole('button', { name: /Resend in \d+ seconds/ }).waitFor()
    expect(again.refusals).toContain('429 /v1/auth/send-code')
  })

  test('a wait of more than a minute is said in minutes', async () => {
    const { page, text, open } = await site.visit()
    let attempts = 0
    await page.route('**/v1/auth/login', (route) => {
      attempts += 1
      return route.fulfill({
        status: 429,
        headers: { 'retry-after': '301' },
        json: { error: { code: 'RATE_LIMITED', message: 'Too many requests.' } },
      })
    })
    await open('/console/sign-in')
    await page.getByLabel(text.auth.signIn.identifier).fill('13700000001')
    await page.getByLabel(text.auth.signIn.password, { exact: true }).fill('correct horse battery staple')
    await page.getByRole('button', { name: text.auth.signIn.submit, exact: true }).click()
    const message = await page
      .getByText(/Try again in/)
      .first()
      .textContent()
    expect(message).toContain('Try again in 6 minutes.')
    expect(attempts).toBe(1)
  })

  test('a call with an unknown outcome is held, explained and never sent twice', async () => {
    const { page, text, steps } = shared
    const faultsBefore = shared.faults.length
    await shared.open('/console/recharge')
    await steps.recharge('1')
    await steps.goTo('keys')
    await steps.createKey()
    await steps.button(text.keys.finishAndTry).click()
    await page.getByLabel(/^provider /).selectOption('model_provider_b')
    await steps.runInPlayground()
    await page.getByText(/3 credits stay reserved/).waitFor()
    await steps.goTo('reviews')
    await page.getByText(text.reasons.PROVIDER_CONNECTION_LOST).waitFor()
    await page.getByText(text.reviews.next3).waitFor()
    await page.getByRole('link', { name: text.reviews.title }).getByLabel('1 call in review').waitFor()
    expect(site.gateway.silentProvider.calls).toHaveLength(1)
    expect(shared.faults.slice(faultsBefore)).toEqual([])
  })

  // Last, because it ends every session of the gateway.
  test('an expired sign-in says so, and signing in again leads back to the same place', async () => {
    const { page, text, steps } = await site.visit()
    const person = await steps.arrive('/console/usage?state=settled')
    // A read that is still under way would show the sign-in before the filter is chosen.
    await page.waitForLoadState('networkidle')
    site.gateway.advanceSeconds(halfADaySeconds + 1)
    await page.getByLabel(text.usage.operation).selectOption('model.chat')
    await page.getByText(text.auth.signIn.expired).waitFor()
    await steps.signIn(person)
    await page.getByRole('heading', { name: text.usage.title, level: 1 }).waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?state=settled&operation=model.chat')
  })
})

/** As the gateway counts them. */
async function orderCount({ context, origin }: Visit): Promise<number> {
  const reply = await context.request.get(`${origin}/v1/console/orders`)
  return (await reply.json()).items.length
}
