import { describe, expect, test } from 'vitest'
import { maskPhone } from '../../../src/features/identity/accounts/contacts.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { password } from '../../../testkit/browser/console-steps.ts'
import { texts } from '../../../testkit/browser/console-visit.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'

/** In the page. */
declare const getComputedStyle: (element: unknown) => Record<string, string>

describe.runIf(runsBrowser)('registering and signing in', () => {
  const site = setUpConsole()

  async function atRegister() {
    const visit = await site.visit()
    await visit.open('/console/register')
    const { register } = visit.text.auth
    const field = (label: string) => visit.page.getByLabel(label, { exact: true })
    const button = (name: string) => visit.page.getByRole('button', { name, exact: true })
    return { ...visit, register, field, button }
  }

  test('a code stays valid when the tab is reloaded', async () => {
    const { page, text, register, field, button } = await atRegister()
    const phone = '13500000001'
    await field(register.phone).fill(phone)
    await button(register.sendCode).click()
    await page.getByText(register.codeSent).waitFor()
    await page.reload()
    await field(register.phone).waitFor()
    await expect.poll(() => field(register.phone).inputValue()).toBe(phone)
    await field(register.code).fill(site.gateway.codeFor(phone))
    await field(register.email).fill('li@example.com')
    await field(register.password).fill(password)
    await button(register.submit).click()
    await page.getByRole('heading', { name: text.overview.title, level: 1 }).waitFor()
    await expect.poll(() => page.evaluate('sessionStorage.length')).toBe(0)
  })

  test('a phone number is understood however it is pasted or typed', async () => {
    const { page, register, field } = await atRegister()
    for (const pasted of [
      '+86 138 0013 8001',
      '0086-138-0013-8001',
      '86 13800138001',
      '１３８００１３８００１',
      '138 0013 8001 9',
    ]) {
      await field(register.phone).fill('')
      await field(register.phone).focus()
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(pasted)})`)
      await page.keyboard.press('ControlOrMeta+V')
      await expect.poll(() => field(register.phone).inputValue(), { message: pasted }).toBe('13800138001')
    }
    await field(register.phone).fill('')
    await page.keyboard.type('+86 13800138001')
    await expect.poll(() => field(register.phone).inputValue()).toBe('13800138001')
  })

  test('signing in accepts the phone number with its country code, with spaces and with dashes', async () => {
    const { page, text, context, steps, open } = await site.visit()
    const person = await steps.signUp()
    const spaced = person.phone.replace(/^(\d{3})(\d{4})/, '$1 $2 ')
    for (const phone of [`+86 ${spaced}`, `${spaced} `, `86-${spaced}`]) {
      await context.clearCookies()
      await open('/console/sign-in')
      await steps.signIn({ ...person, phone })
      await page.getByRole('heading', { name: text.overview.title, level: 1 }).waitFor()
      const { account } = await (await context.request.get(`${site.gateway.origin}/v1/me`)).json()
      expect(account.phoneMasked, phone).toBe(maskPhone(person.phone))
    }
  })

  test('a common password gets a warning in both languages, and is accepted all the same', async () => {
    const { page, text, register, field, button } = await atRegister()
    const phone = '13500000002'
    const inZh = texts['zh-CN'].auth.register
    await field(register.phone).fill(phone)
    await button(register.sendCode).click()
    await page.getByText(register.codeSent).waitFor()
    await field(register.code).fill(site.gateway.codeFor(phone))
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
  })

  test('errors follow the language, stay marked without focus, and keep the button aligned with its field', async () => {
    const { page, register, field, button } = await atRegister()
    const offset = async () => {
      const [input, send] = [await field(register.code).boundingBox(), await button(register.sendCode).boundingBox()]
      return Math.abs(input!.y + input!.height / 2 - (send!.y + send!.height / 2))
    }
    await expect.poll(offset).toBeLessThan(1.5)
    await button(register.submit).click()
    await page.getByText(register.codeFirst).waitFor()
    await expect.poll(offset).toBeLessThan(1.5)

    await page.getByText(register.phoneWrong).waitFor()
    const inZh = texts['zh-CN'].auth.register
    await page.getByText('中文', { exact: true }).click()
    await page.getByText(inZh.phoneWrong).waitFor()
    await expect.poll(() => page.getByText(register.phoneWrong).count()).toBe(0)
    await field(inZh.password).focus()
    const border = (label: string) => field(label).evaluate((input) => getComputedStyle(input).borderTopColor)
    const errorColour = await page
      .getByText(inZh.phoneWrong)
      .first()
      .evaluate((message) => getComputedStyle(message).color)
    expect([await border(inZh.phone), await border(inZh.email)]).toEqual([errorColour, errorColour])
  })
})
