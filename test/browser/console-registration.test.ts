import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium, runsBrowser } from '../support/browser/chromium.ts'
import { type ConsoleGateway, startConsoleGateway } from '../support/browser/console-gateway.ts'
import { password, stepsOf } from '../support/browser/console-steps.ts'
import { texts, visitConsole } from '../support/browser/console-visit.ts'

/** In the page. */
declare const getComputedStyle: (element: unknown) => Record<string, string>

/** For a busy machine. */
const patienceMs = 10_000

describe.runIf(runsBrowser)('registering and signing in', { timeout: 60_000 }, () => {
  let gateway: ConsoleGateway
  let browser: Browser
  beforeAll(async () => {
    ;[gateway, browser] = await Promise.all([startConsoleGateway(), launchChromium()])
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
  })

  async function atRegister(path = '/console/register') {
    const visit = await visitConsole(browser, gateway.origin)
    await visit.open(path)
    const { register } = visit.text.auth
    const field = (label: string) => visit.page.getByLabel(label, { exact: true })
    const button = (name: string) => visit.page.getByRole('button', { name, exact: true })
    return { ...visit, register, field, button }
  }

  test('a code stays good when the tab is reloaded while the message is read', async () => {
    const { page, text, register, field, button, context } = await atRegister()
    const phone = '13500000001'
    await field(register.phone).fill(phone)
    await button(register.sendCode).click()
    await page.getByText(register.codeSent).waitFor()
    await page.reload()
    await field(register.phone).waitFor()
    await expect.poll(() => field(register.phone).inputValue(), { timeout: patienceMs }).toBe(phone)
    await field(register.code).fill(gateway.codeFor(phone))
    await field(register.email).fill('li@example.com')
    await field(register.password).fill(password)
    await button(register.submit).click()
    await page.getByRole('heading', { name: text.overview.title, level: 1 }).waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    await context.close()
  })

  test.each([
    ['+86 138 0013 8001', '13800138001'],
    ['0086-138-0013-8001', '13800138001'],
    ['86 13800138001', '13800138001'],
    ['１３８００１３８００１', '13800138001'],
    ['138 0013 8001 9', '13800138001'],
  ])('a pasted phone number %s is understood', async (pasted, phone) => {
    const { page, register, field, context } = await atRegister()
    await field(register.phone).focus()
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(pasted)})`)
    await page.keyboard.press('ControlOrMeta+V')
    await expect.poll(() => field(register.phone).inputValue(), { timeout: patienceMs }).toBe(phone)
    await context.close()
  })

  test('a phone number typed with its country code is understood', async () => {
    const { page, register, field, context } = await atRegister()
    await field(register.phone).focus()
    await page.keyboard.type('+86 13800138001')
    expect(await field(register.phone).inputValue()).toBe('13800138001')
    await context.close()
  })

  test.each(['+86 %s', '%s ', '86-%s'])('signing in accepts the phone number written as %s', async (form) => {
    const visit = await visitConsole(browser, gateway.origin)
    const steps = stepsOf(visit, gateway.codeFor)
    const person = await steps.arrive()
    await visit.context.clearCookies()
    await visit.open('/console/sign-in')
    const spaced = person.phone.replace(/^(\d{3})(\d{4})/, '$1 $2 ')
    await steps.signIn({ ...person, phone: form.replace('%s', spaced) })
    await visit.page.getByRole('heading', { name: visit.text.overview.title, level: 1 }).waitFor()
    await visit.context.close()
  })

  test('a fault beside a field follows the language and stays marked without the focus', async () => {
    const { page, register, field, button, context } = await atRegister()
    await button(register.submit).click()
    await page.getByText(register.phoneWrong).waitFor()
    const inZh = texts['zh-CN'].auth.register
    await page.getByText('中文', { exact: true }).click()
    await page.getByText(inZh.phoneWrong).waitFor()
    expect(await page.getByText(register.phoneWrong).count()).toBe(0)
    await field(inZh.password).focus()
    const border = (label: string) => field(label).evaluate((input) => getComputedStyle(input).borderTopColor)
    const errorColour = await page
      .getByText(inZh.phoneWrong)
      .first()
      .evaluate((message) => getComputedStyle(message).color)
    expect([await border(inZh.phone), await border(inZh.email)]).toEqual([errorColour, errorColour])
    await context.close()
  })

  test('a common password gets a warning in both languages, and is accepted all the same', async () => {
    const { page, text, register, field, button, context, faults } = await atRegister()
    const phone = '13500000002'
    const inZh = texts['zh-CN'].auth.register
    await field(register.phone).fill(phone)
    await button(register.sendCode).click()
    await page.getByText(register.codeSent).waitFor()
    await field(register.code).fill(gateway.codeFor(phone))
    await field(register.email).fill('li@example.com')
    await field(register.password).fill('Password1234')
    await page.getByRole('status').getByText(register.passwordCommon).waitFor()
    await page.getByText('中文', { exact: true }).click()
    await page.getByRole('status').getByText(inZh.passwordCommon).waitFor()
    await page.getByText('English', { exact: true }).click()
    await field(register.password).fill(password)
    await page.getByText(register.passwordCommon).waitFor({ state: 'detached' })
    await field(register.password).fill('Password1234')
    await page.getByText(register.passwordCommon).waitFor()
    await button(register.submit).click()
    await page.getByRole('heading', { name: text.overview.title, level: 1 }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('the button that sends a code stays level with its field when the code is wrong', async () => {
    const { page, register, field, button, context } = await atRegister()
    const offset = async () => {
      const [input, send] = [await field(register.code).boundingBox(), await button(register.sendCode).boundingBox()]
      return Math.abs(input!.y + input!.height / 2 - (send!.y + send!.height / 2))
    }
    expect(await offset()).toBeLessThan(1.5)
    await button(register.submit).click()
    await page.getByText(register.codeFirst).waitFor()
    expect(await offset()).toBeLessThan(1.5)
    await context.close()
  })
})
