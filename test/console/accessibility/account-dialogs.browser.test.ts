import { describe, expect, test } from 'vitest'
import { codeAt } from '../../../src/base/totp.ts'
import { checkPage } from '../../../testkit/browser/check-page.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { password } from '../../../testkit/browser/console-steps.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import { tick } from '../../../testkit/browser/tick.ts'

describe.runIf(runsBrowser)('the dialogs of the account page', () => {
  const site = setUpConsole()

  test('the dialogs of the account page have no accessibility violations and fit every width', async () => {
    const { page, text, open, steps, person, faults } = await site.signedIn()
    const { account, secondFactor } = text
    const dialog = page.getByRole('dialog')
    const press = (name: string) => dialog.last().getByRole('button', { name, exact: true }).click()
    const close = async () => {
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    await page.setViewportSize({ width: 1280, height: 1800 })
    await steps.goTo('account')
    await steps.button(text.auth.register.sendCode).click()
    await page.getByText(account.emailCodeSent.split('{{')[0]!).waitFor()
    await steps.button(account.verifyEmail).click()
    await page.locator('[aria-invalid=true]').first().waitFor()
    await checkPage(page)
    for (const name of [account.changeEmail, account.changePassword]) {
      await steps.button(name).click()
      await press(name)
      await dialog.locator('[aria-invalid=true]').first().waitFor()
      await checkPage(page)
      await close()
    }
    await steps.button(secondFactor.addPasskey).click()
    await dialog.getByLabel(secondFactor.passkeyName).waitFor()
    await checkPage(page)
    await close()

    await steps.button(secondFactor.setUp).click()
    await dialog.getByLabel(account.currentPassword, { exact: true }).fill(password)
    await press(secondFactor.next)
    await page.getByRole('img', { name: secondFactor.qrCode }).waitFor()
    await checkPage(page)
    const secret = (await dialog.locator('code').textContent())!.replaceAll(/\s/g, '')
    await dialog.getByLabel(secondFactor.firstCode).fill(codeAt(secret, Math.floor(site.gateway.now() / 30_000)))
    await press(secondFactor.turnOn)
    await page.getByRole('list', { name: secondFactor.codes }).waitFor()
    await checkPage(page)
    await tick(page.getByLabel(secondFactor.codesSaved))
    await press(secondFactor.finish)
    await page.getByText(secondFactor.onNews).waitFor()

    site.gateway.advanceSeconds(900)
    await steps.goTo('keys')
    await steps.button(text.keys.create).click()
    await steps.button(text.keys.submit).click()
    await page.getByRole('heading', { name: secondFactor.stepUpTitle }).waitFor()
    await checkPage(page)

    await open('/console/account')
    await steps.signOut()
    await steps.signIn(person)
    await page.getByRole('heading', { name: secondFactor.signInTitle, level: 1 }).waitFor()
    await checkPage(page)
    expect(faults).toEqual([])
  })
})
