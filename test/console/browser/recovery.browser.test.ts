import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { checkAxe } from '../../../testkit/browser/check-page.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import type { ConsoleGateway } from '../../../testkit/browser/console-gateway.ts'
import { password } from '../../../testkit/browser/console-steps.ts'
import { loseResponse } from '../../../testkit/browser/lose-response.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'

/** In the page. */
declare const document: { getElementById(id: string): { textContent: string } | null; activeElement: unknown }
declare const navigator: { clipboard: { writeText(text: string): Promise<void> } }

const common = 'Password1234'

/** The latest code of this kind for a contact that the test has not used yet. */
function createCodes(gateway: () => ConsoleGateway) {
  const used = new Set<string>()
  return async (kind: 'verification' | 'recovery', contact: string): Promise<{ code: string; text: string }> => {
    const find = () => {
      const { smsOutbox, emailOutbox } = gateway()
      const lines = contact.includes('@')
        ? emailOutbox().filter(({ to }) => to === contact)
        : smsOutbox().filter(({ phone }) => phone === contact)
      return lines.findLast((line) => line.kind === kind && 'challengeId' in line && !used.has(line.challengeId!)) as
        | { code: string; challengeId: string; text?: string }
        | undefined
    }
    await expect.poll(find).toBeDefined()
    const { code, challengeId, text } = find()!
    used.add(challengeId)
    return { code, text: text ?? code }
  }
}

const wrong = (code: string) => code.replace(/^./, (digit) => String((Number(digit) + 1) % 10))

const formOf = (page: Page) => ({
  field: (label: string) => page.getByLabel(label, { exact: true }),
  button: (name: string) => page.getByRole('button', { name, exact: true }),
  heading: (name: string) => page.getByRole('heading', { name, level: 1 }),
  async paste(label: string, text: string) {
    await page.getByLabel(label, { exact: true }).fill('')
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await page.keyboard.press('ControlOrMeta+V')
    await expect.poll(() => page.getByLabel(label, { exact: true }).inputValue()).toMatch(/^\d{6,8}$/)
  },
  /** That this field, and no other place, says what is wrong, and that it has the focus. */
  async seeFault(label: string, fault: string) {
    const described = () =>
      page.getByLabel(label, { exact: true }).evaluate((input) => ({
        isFocused: document.activeElement === input,
        text: String((input as { getAttribute(name: string): string | null }).getAttribute('aria-describedby'))
          .split(' ')
          .map((id) => document.getElementById(id)?.textContent)
          .join(' '),
      }))
    await expect.poll(described).toEqual({ isFocused: true, text: expect.stringContaining(fault) as unknown as string })
    await expect.poll(() => page.getByText(fault).count()).toBe(1)
  },
})

/** On one engine: the endpoints have tests on both. */
describe.runIf(runsBrowser)('an account', () => {
  const site = setUpConsole()
  const codeFor = createCodes(() => site.gateway)

  test('an account is verified by email, signs in with it, and is recovered by SMS and by email', async () => {
    const { page, text, steps, context, open, faults } = await site.visit()
    const { field, button, heading, paste, seeFault } = formOf(page)
    const { signIn, register, recover } = text.auth

    await open('/console/register')
    const { phone, email } = await steps.register()
    await steps.goTo('account')
    await page.getByText(text.account.emailPending, { exact: true }).waitFor()
    await button(register.sendCode).click()
    await page.getByText(text.account.emailCodeSent.split('{{')[0]!).waitFor()
    const verification = await codeFor('verification', email)
    await field(text.account.emailCode).fill(wrong(verification.code))
    await button(text.account.verifyEmail).click()
    await seeFault(text.account.emailCode, text.errors.VERIFICATION_FAILED)
    // A phone drops the tab while the email is read.
    await page.reload()
    await field(text.account.emailCode).waitFor()
    await paste(text.account.emailCode, verification.text)
    await expect.poll(() => field(text.account.emailCode).inputValue()).toBe(verification.code)
    await button(text.account.verifyEmail).click()
    await page.getByText(text.account.emailVerifiedNews).waitFor()
    await page.getByText(text.account.emailVerified, { exact: true }).waitFor()

    await steps.signOut()
    await steps.signIn({ phone: email, password })
    await heading(text.overview.title).waitFor()
    const otherDevice = await site.browser.newContext()
    const login = await otherDevice.request.post(`${site.gateway.origin}/v1/auth/login`, {
      data: { identifier: phone, password },
      headers: { origin: site.gateway.origin },
    })
    expect(login.status()).toBe(200)
    await context.clearCookies()

    // By SMS, with what was typed to sign in.
    await open('/console/sign-in')
    await field(signIn.identifier).fill(phone)
    await page.getByRole('link', { name: signIn.toRecover }).click()
    await heading(recover.title).waitFor()
    await expect.poll(() => field(recover.identifier).inputValue()).toBe(phone)
    // There and back, also by way of the registration.
    await page.getByRole('link', { name: recover.toSignInLink }).click()
    await expect.poll(() => field(signIn.identifier).inputValue()).toBe(phone)
    await page.getByRole('link', { name: signIn.toRegisterLink }).click()
    await expect.poll(() => field(register.phone).inputValue()).toBe(phone)
    await page.getByRole('link', { name: register.toSignInLink }).click()
    await expect.poll(() => field(signIn.identifier).inputValue()).toBe(phone)
    await page.getByRole('link', { name: signIn.toRecover }).click()
    await heading(recover.title).waitFor()
    await button(recover.submit).click()
    await seeFault(recover.code, register.codeFirst)
    await button(register.sendCode).click()
    await page.getByText(recover.codeSent).waitFor()
    const bySms = await codeFor('recovery', phone)
    await page.reload()
    await expect.poll(() => field(recover.identifier).inputValue()).toBe(phone)
    await field(recover.password).fill(common)
    await field(recover.code).fill(wrong(bySms.code))
    await page.getByText(register.passwordCommon).waitFor()
    await button(recover.submit).click()
    await seeFault(recover.password, register.passwordRefused)
    const secondPassword = 'a second long passphrase'
    await field(recover.password).fill(secondPassword)
    await button(recover.submit).click()
    await seeFault(recover.code, text.errors.VERIFICATION_FAILED)
    await paste(recover.code, `${bySms.code.slice(0, 3)}-${bySms.code.slice(3)}`)
    await button(recover.submit).click()
    await heading(recover.doneTitle).waitFor()
    await expect.poll(() => page.evaluate('sessionStorage.length')).toBe(0)
    expect((await otherDevice.request.get(`${site.gateway.origin}/v1/me`)).status()).toBe(401)
    await otherDevice.close()
    await page.getByRole('link', { name: recover.toSignInWithNew }).click()
    await expect.poll(() => field(signIn.identifier).inputValue()).toBe(phone)
    await steps.signIn({ phone, password })
    await page.getByText(text.errors.AUTHENTICATION_FAILED).waitFor()
    await steps.signIn({ phone, password: secondPassword })
    await heading(text.overview.title).waitFor()

    // By email, after a first code has expired.
    await steps.goTo('account')
    await steps.signOut()
    await page.getByRole('link', { name: signIn.toRecover }).click()
    await field(recover.identifier).fill(email)
    await button(register.sendCode).click()
    await page.getByText(recover.codeSent).waitFor()
    const expired = await codeFor('recovery', email)
    site.gateway.advanceSeconds(301)
    await field(recover.code).fill(expired.code)
    await field(recover.password).fill('a third long passphrase')
    await button(recover.submit).click()
    await seeFault(recover.code, text.errors.VERIFICATION_FAILED)
    await page.evaluate('sessionStorage.clear()')
    await page.reload()
    await field(recover.identifier).fill(email)
    await button(register.sendCode).click()
    await page.getByText(recover.codeSent).waitFor()
    const byEmail = await codeFor('recovery', email)
    await paste(recover.code, byEmail.text)
    await field(recover.password).fill('a third long passphrase')
    expect(faults).toEqual([])
    // The response gets lost: what was typed is tried at the sign-in.
    await page.route('**/v1/auth/recovery/confirm', loseResponse, { times: 1 })
    await button(recover.submit).click()
    await page.getByText(recover.unknown).waitFor()
    await button(register.tryToSignIn).click()
    await page.getByText(signIn.afterUnknownChange).waitFor()
    await button(signIn.submit).click()
    await heading(text.overview.title).waitFor()

    const notices = (lines: readonly { kind: string; text?: string }[]) =>
      lines.filter(({ kind }) => kind === 'notice').map((line) => /was (verified|reset)/.exec(line.text!)?.[1])
    for (const outbox of [site.gateway.smsOutbox, site.gateway.emailOutbox])
      await expect.poll(() => notices(outbox()).filter(Boolean)).toEqual(['verified', 'reset', 'reset'])
  })
})

describe.runIf(runsBrowser)('the account page', () => {
  const site = setUpConsole()

  test('the account page changes its password and its email, and ends its sign-ins one by one', async () => {
    const { page, text, steps, person, faults } = await site.signedIn()
    const { field, button, seeFault } = formOf(page)
    const { account } = text
    const dialog = page.getByRole('dialog')
    const submit = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
    const signInElsewhere = async () => {
      const { origin } = site.gateway
      const response = await fetch(`${origin}/v1/auth/login`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json' },
        body: JSON.stringify({ identifier: person.phone, password }),
      })
      const cookie = response.headers.getSetCookie()[0]!.split(';')[0]!
      return async () => (await fetch(`${origin}/v1/me`, { headers: { cookie } })).status
    }
    const [first, second] = [await signInElsewhere(), await signInElsewhere()]

    await steps.goTo('account')
    await page.getByRole('row').filter({ hasText: account.thisOne }).waitFor()
    const ends = page.getByRole('button', { name: new RegExp(account.endLabel.split('{{')[0]!) })
    await expect.poll(() => ends.count()).toBe(2)
    await checkAxe(page)
    // The newest first.
    await ends.first().click()
    await submit(account.end)
    const news = page.getByRole('status').filter({ hasText: account.endedNews.split('}}')[1]! })
    await news.waitFor()
    await expect
      .poll(() =>
        news.evaluate((element) =>
          String(document.activeElement === (element as { parentElement?: unknown }).parentElement),
        ),
      )
      .toBe('true')
    await expect.poll(() => ends.count()).toBe(1)
    expect([await first(), await second()]).toEqual([200, 401])

    await button(account.changePassword).click()
    await submit(account.changePassword)
    await seeFault(account.currentPassword, text.common.required)
    await field(account.currentPassword).fill('not the right password')
    await field(text.auth.recover.password).fill('another long passphrase')
    await submit(account.changePassword)
    await seeFault(account.currentPassword, text.auth.register.passwordWrong)
    await field(account.currentPassword).fill(password)
    await field(text.auth.recover.password).fill(common)
    await submit(account.changePassword)
    await seeFault(text.auth.recover.password, text.auth.register.passwordRefused)
    await field(text.auth.recover.password).fill('another long passphrase')
    await submit(account.changePassword)
    await page.getByText(account.passwordChangedNews).waitFor()
    await expect.poll(() => ends.count()).toBe(0)
    expect(await first()).toBe(401)

    await button(account.changeEmail).click()
    await field(account.newEmail).fill('wang@example.org')
    await field(account.currentPassword).fill(password)
    await submit(account.changeEmail)
    await seeFault(account.currentPassword, text.auth.register.passwordWrong)
    await field(account.currentPassword).fill('another long passphrase')
    await submit(account.changeEmail)
    await page.getByText(account.emailChangedNews).waitFor()
    await page.getByText('w***@example.org').waitFor()
    expect(faults).toEqual([])
  })
})
