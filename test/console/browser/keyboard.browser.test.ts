import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { password } from '../../../testkit/browser/console-steps.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'

const mostStops = 60

describe.runIf(runsBrowser)('the console by keyboard alone', () => {
  const site = setUpConsole()

  test('from registration to charge details nothing needs a pointer, below another path too', async () => {
    const { page, text, open, steps, faults, refusals } = await site.visit()
    const { keyboard } = page
    const hasFocus = async (target: Locator) => (await target.and(page.locator(':focus')).count()) === 1
    /** Presses Tab until the target has the focus. */
    async function tabTo(target: Locator): Promise<void> {
      await target.waitFor()
      for (let stops = 0; stops < mostStops; stops++) {
        if (await hasFocus(target)) return
        await keyboard.press('Tab')
      }
      throw new Error(`Tab never reached ${target}`)
    }
    const field = (label: string) => page.getByLabel(label, { exact: true })
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    let presses = 0
    async function press(target: Locator): Promise<void> {
      await tabTo(target)
      await keyboard.press('Enter')
      presses += 1
    }
    async function type(label: string, value: string): Promise<void> {
      await tabTo(field(label))
      await keyboard.press('ControlOrMeta+A')
      await keyboard.type(value)
    }
    const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
    /** A page that was entered by keyboard has the focus on its heading. */
    async function arrivedAt(name: string): Promise<void> {
      await heading(name).waitFor()
      await expect.poll(() => hasFocus(heading(name))).toBe(true)
    }

    const { register } = text.auth
    const phone = '13612345678'
    await open('/gateway/console/register')
    await type(register.phone, phone)
    await press(button(register.sendCode))
    // The focus goes to where the code is typed.
    await expect.poll(() => hasFocus(field(register.code))).toBe(true)
    await keyboard.type(site.gateway.codeFor(phone))
    await type(register.email, 'li@example.com')
    await type(register.password, password)
    await keyboard.press('Enter')
    await arrivedAt(text.overview.title)
    // The console asks who is signed in, and expects this refusal.
    expect(refusals).toEqual(['401 /gateway/api/me'])

    await press(page.getByRole('main').getByRole('link', { name: text.overview.stepOrder }))
    await arrivedAt(text.recharge.title)
    await type(text.recharge.amount, '10')
    await keyboard.press('Enter')
    await press(button(text.payment.paySimulated))
    await press(page.getByRole('link', { name: text.recharge.toKeys }))
    await arrivedAt(text.keys.title)

    await press(button(text.keys.create))
    await press(button(text.keys.submit))
    await tabTo(field(text.keys.saved))
    const key = await field(text.keys.plaintext).inputValue()
    expect(key).toMatch(/^gk_live_[A-Za-z0-9]{43}$/)
    // Neither Escape nor a tab around loses the key before it was saved.
    await keyboard.press('Escape')
    await expect.poll(() => field(text.keys.plaintext).isVisible()).toBe(true)
    await tabTo(field(text.keys.saved))
    await keyboard.press('Space')
    await press(button(text.keys.finishAndTry))
    await arrivedAt(text.playground.title)

    await press(page.getByRole('button', { name: 'Run for 3 credits' }))
    // The way to the first paid call gets no longer.
    expect(presses).toBe(8)
    await press(page.getByRole('link', { name: text.playground.seeCharge }))
    await arrivedAt(text.chargeDetails.title)
    await page.getByText(text.chargeDetails.paid).first().waitFor()
    await page.getByText('gateway-custom-cny-10credits-v1').waitFor()
    const entries = page.getByRole('table').getByRole('row')
    await expect.poll(() => entries.filter({ hasText: text.ledger.kinds.settle }).count()).toBe(1)

    await press(page.getByRole('link', { name: text.chargeDetails.back }))
    await arrivedAt(text.usage.title)
    // The chart is one stop; arrows move in it.
    await tabTo(page.getByRole('button', { name: /: 3 credits, 1 call$/ }))
    await keyboard.press('ArrowLeft')
    await expect.poll(() => hasFocus(page.getByRole('button', { name: /: 0 credits, 0 calls$/ }).last())).toBe(true)
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(key.slice(0, 12))

    await press(page.getByRole('navigation').getByRole('link', { name: text.overview.title }))
    await arrivedAt(text.overview.title)
    await steps.seeSum({ bought: 100, spent: 3, reserved: 0, available: 97 })
    expect(faults).toEqual([])
  })

  test('the first stop of each page skips the menu', async () => {
    const { page, text, open } = await site.visit()
    await open('/console/sign-in')
    await page.getByLabel(text.auth.signIn.identifier).fill('13612345678')
    await page.getByLabel(text.auth.signIn.password, { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: text.overview.title }).waitFor()
    const skip = page.getByRole('link', { name: text.nav.skip })
    await skip.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.locator('#content :focus').count()).toBe(1)
  })
})
