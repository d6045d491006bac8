import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { codeAt } from '../../../src/base/totp.ts'
import { axeFindings } from '../../../testkit/browser/axe.ts'
import { checkAxe, checkPage } from '../../../testkit/browser/check-page.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { password } from '../../../testkit/browser/console-steps.ts'
import { looks } from '../../../testkit/browser/looks.ts'
import { type SiteVisit, setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import { tick } from '../../../testkit/browser/tick.ts'

/** On one engine: the endpoints have tests on both. */
describe.runIf(runsBrowser)('two-step verification', () => {
  const site = setUpConsole()

  const inDialog = (page: Page) => page.getByRole('dialog').last()
  const press = (page: Page, name: string) => inDialog(page).getByRole('button', { name, exact: true }).click()

  /** The next code that was not used. */
  function createApp(secret: string) {
    return () => {
      site.gateway.advanceSeconds(30)
      return codeAt(secret, Math.floor(site.gateway.now() / 30_000))
    }
  }

  async function setUpApp({ page, text, steps }: SiteVisit) {
    const { secondFactor, account } = text
    await steps.goTo('account')
    await steps.button(secondFactor.setUp).click()
    await page.getByLabel(account.currentPassword, { exact: true }).waitFor()
    await page.getByLabel(account.currentPassword, { exact: true }).fill(password)
    await press(page, secondFactor.next)
    await page.getByRole('img', { name: secondFactor.qrCode }).waitFor()
    const secret = (await inDialog(page).locator('code').textContent())!.replaceAll(/\s/g, '')
    const nextCode = createApp(secret)
    await page.getByLabel(secondFactor.firstCode).fill('000000')
    await press(page, secondFactor.turnOn)
    await page.getByText(text.errors.SECOND_FACTOR_FAILED).waitFor()
    await page.getByLabel(secondFactor.firstCode).fill(nextCode())
    await press(page, secondFactor.turnOn)
    const list = page.getByRole('list', { name: secondFactor.codes })
    await list.waitFor()
    const codes = await list.locator('code').allInnerTexts()
    expect(codes).toHaveLength(10)
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: secondFactor.downloadCodes }).click()
    const kept = readFileSync(await (await file).path(), 'utf8')
    expect(kept.trim().split('\n').slice(-10)).toEqual(codes)
    await expect.poll(() => page.getByLabel(secondFactor.codesSaved).isChecked()).toBe(true)
    await press(page, secondFactor.finish)
    await page.getByText(secondFactor.onNews).waitFor()
    return { nextCode, codes }
  }

  test.each(looks('wide'))(
    'an app is set up, asked for at login and before changes, and removed: $language at $width px',
    async (options) => {
      const visit = await site.signedIn(options)
      const { page, text, steps, open, faults, person } = visit
      const { secondFactor } = text
      const { nextCode, codes } = await setUpApp(visit)

      await steps.signOut()
      await steps.signIn(person)
      await page.getByRole('heading', { name: secondFactor.signInTitle, level: 1 }).waitFor()
      await page.getByLabel(secondFactor.code, { exact: true }).fill('000000')
      await steps.button(secondFactor.submit).click()
      await page.getByText(text.errors.SECOND_FACTOR_FAILED).waitFor()
      await page.getByLabel(secondFactor.code, { exact: true }).fill(nextCode())
      await steps.button(secondFactor.submit).click()
      await page.getByRole('heading', { name: text.overview.title, level: 1 }).waitFor()

      // Fifteen minutes later a new key needs another proof; the dialog asks, and the request is sent again.
      site.gateway.advanceSeconds(900)
      await steps.goTo('keys')
      await steps.button(text.keys.create).click()
      await steps.button(text.keys.submit).click()
      await page.getByRole('heading', { name: secondFactor.stepUpTitle }).waitFor()
      await press(page, text.common.cancel)
      await page.getByText(text.errors.STEP_UP_REQUIRED).waitFor()
      await steps.button(text.keys.submit).click()
      await page.getByLabel(secondFactor.code, { exact: true }).fill(codes[0]!.toLowerCase())
      await press(page, secondFactor.submit)
      await page.getByLabel(text.keys.plaintext, { exact: true }).waitFor()
      await tick(page.getByLabel(text.keys.saved))
      await steps.button(text.keys.finish).click()

      await steps.goTo('account')
      await page.getByText(secondFactor.codesLeft_other.replace('{{count}}', '9')).waitFor()
      await page.getByRole('button', { name: secondFactor.removeLabel }).click()
      await press(page, secondFactor.remove)
      await page.getByText(secondFactor.removedNews).waitFor()
      await steps.signOut()
      await steps.signIn(person)
      await page.getByRole('heading', { name: text.overview.title, level: 1 }).waitFor()
      await open('/console/account')
      await steps.button(secondFactor.setUp).waitFor()
      expect(faults).toEqual([])
    },
  )

  test('a lost phone: the reset asks to turn it off after 24 hours, and the account page can keep it on', async () => {
    const visit = await site.signedIn()
    const { page, text, steps, open, person } = visit
    const { secondFactor } = text
    const { recover, register } = text.auth
    const { codes } = await setUpApp(visit)
    await steps.signOut()
    await open('/console/recover')
    await page.getByLabel(recover.identifier, { exact: true }).fill(person.phone)
    await steps.button(register.sendCode).click()
    await page.getByText(recover.codeSent).waitFor()
    await expect.poll(() => site.gateway.codeFor(person.phone)).toHaveLength(8)
    await page.getByLabel(recover.code, { exact: true }).fill(site.gateway.codeFor(person.phone))
    const newPassword = 'an uncommon long passphrase'
    await page.getByLabel(recover.password, { exact: true }).fill(newPassword)
    await tick(page.getByLabel(secondFactor.lostBox))
    expect(await axeFindings(page)).toEqual([])
    await steps.button(recover.submit).click()
    await page.getByText(secondFactor.lostDone.split('{{')[0]!).waitFor()

    await open('/console/sign-in')
    await steps.signIn({ phone: person.phone, password: newPassword })
    await page.getByLabel(secondFactor.code, { exact: true }).fill(codes[0]!)
    await steps.button(secondFactor.submit).click()
    await page.getByRole('heading', { name: text.overview.title, level: 1 }).waitFor()
    await steps.goTo('account')
    await page.getByText(secondFactor.waiting.split('{{')[0]!).waitFor()
    await checkPage(page)
    await steps.button(secondFactor.keep).click()
    await page.getByText(secondFactor.keptNews).waitFor()
  })

  /** A passkey on the device itself, which verifies its user. It belongs to the page, so reloads keep it. */
  async function addAuthenticator(page: Page) {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return {
      lose: () => devtools.send('WebAuthn.clearCredentials', { authenticatorId }),
      refuse: (isUserVerified: boolean) =>
        devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
      count: async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    }
  }

  test.each(looks('narrow'))(
    'a passkey is added, signs in alone, proves changes, and is lost: $language at $width px',
    async (options) => {
      const visit = await site.signedIn({ ...options, isolated: true })
      const { page, text, steps, faults, person } = visit
      const { secondFactor } = text
      const authenticator = await addAuthenticator(page)
      await steps.goTo('account')
      await steps.button(secondFactor.addPasskey).click()
      const passkeyName = page.getByLabel(secondFactor.passkeyName)
      await expect.poll(() => passkeyName.inputValue()).toBe('Chrome, Linux')
      await passkeyName.fill('Lap\u200Btop')
      await page.getByText(text.common.nameInvisible).waitFor()
      await passkeyName.fill('Laptop')
      await page.getByLabel(text.account.currentPassword, { exact: true }).fill(password)
      await press(page, secondFactor.addPasskey)
      const list = page.getByRole('list', { name: secondFactor.codes })
      await list.waitFor()
      const codes = await list.locator('code').allInnerTexts()
      await tick(page.getByLabel(secondFactor.codesSaved))
      await press(page, secondFactor.finish)
      await page.getByText(secondFactor.passkeyAddedNews).waitFor()
      const row = page.getByRole('table', { name: secondFactor.passkeys }).getByText('Laptop')
      await row.waitFor()
      expect(await authenticator.count()).toBe(1)
      expect(await axeFindings(page)).toEqual([])

      await page.getByRole('button', { name: secondFactor.renamePasskeyLabel.replace('{{name}}', 'Laptop') }).click()
      await page.getByLabel(secondFactor.passkeyName).fill(' ')
      await press(page, secondFactor.rename)
      await page.getByText(text.common.required).waitFor()
      await checkAxe(page)
      await page.getByLabel(secondFactor.passkeyName).fill('Office laptop')
      await press(page, secondFactor.rename)
      await page.getByText(secondFactor.passkeyRenamedNews).waitFor()
      await page.getByRole('table', { name: secondFactor.passkeys }).getByText('Office laptop').waitFor()

      // Neither phone number nor password.
      await steps.signOut()
      await steps.button(secondFactor.passkeySignIn).waitFor()
      await steps.button(secondFactor.passkeySignIn).click()
      await page.getByRole('heading', { name: text.overview.title, level: 1 }).waitFor()

      site.gateway.advanceSeconds(900)
      await steps.goTo('keys')
      await steps.button(text.keys.create).click()
      await steps.button(text.keys.submit).click()
      await page.getByRole('heading', { name: secondFactor.stepUpTitle }).waitFor()
      await inDialog(page).getByRole('button', { name: secondFactor.passkeyProve }).waitFor()
      // The device does not recognize its user, then does.
      await authenticator.refuse(false)
      await press(page, secondFactor.passkeyProve)
      await page.getByText(secondFactor.passkeyCancelled).waitFor()
      await authenticator.refuse(true)
      await press(page, secondFactor.passkeyProve)
      await page.getByLabel(text.keys.plaintext, { exact: true }).waitFor()
      await tick(page.getByLabel(text.keys.saved))
      await steps.button(text.keys.finish).click()

      // The device is lost: a recovery code signs in and removes its passkey.
      await authenticator.lose()
      await steps.goTo('account')
      await steps.signOut()
      await steps.button(secondFactor.passkeySignIn).click()
      await page.getByText(secondFactor.passkeyCancelled).waitFor()
      await steps.signIn(person)
      await page.getByLabel(secondFactor.code, { exact: true }).fill(codes[0]!)
      await steps.button(secondFactor.submit).click()
      await page.getByRole('heading', { name: text.overview.title, level: 1 }).waitFor()
      await steps.goTo('account')
      await page
        .getByRole('button', { name: secondFactor.removePasskeyLabel.replace('{{name}}', 'Office laptop') })
        .click()
      await press(page, secondFactor.remove)
      await page.getByText(secondFactor.passkeyRemovedNews).waitFor()
      await page.getByText(secondFactor.off, { exact: true }).waitFor()
      expect(faults).toEqual([])
    },
  )
})
