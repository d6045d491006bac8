import { describe, expect, test } from 'vitest'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { chosenPassword, operatorRuns } from '../../../testkit/browser/operator-steps.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import { addOperator, totpOf } from '../../../testkit/gateway/operator-browser.ts'

/** On a public origin, where every operator needs one-time codes. */
describe.runIf(runsBrowser).each(operatorRuns('wide'))('the sign-ins of operators on $engine', ({ engine, acting }) => {
  const site = setUpConsole({ engine, isPublic: true })

  test('an administrator signs in with a one-time code, changes the password and replaces the secret', async () => {
    const added = await addOperator(site.gateway, 'ada', 'admin')
    const codeOf = (of: { totpUri: string }) => totpOf(of, site.gateway.now())
    const ada = await site.operator(acting)
    const { page, words, button, dialog, submit, untilStatus, heading, isSound } = ada
    await ada.signIn('ada', added.password)
    await page.getByText(words.signIn.totpNeeded).waitFor()
    await isSound()
    await page.getByLabel(words.signIn.totp).fill(codeOf(added))
    await button(words.signIn.submit).click()
    await ada.replaceFirstPassword(added.password)

    await ada.go('/me')
    const changePassword = async (current: string) => {
      await page.getByLabel(words.me.current, { exact: true }).fill(current)
      await page.getByLabel(words.signIn.newPassword, { exact: true }).fill(`${chosenPassword}, changed`)
      await button(words.me.changePassword).click()
    }
    await button(words.me.changePassword).click()
    await changePassword('not my password')
    await page.locator('[aria-invalid]').waitFor()
    await isSound()
    await changePassword(chosenPassword)
    await untilStatus(words.me.changed_other.split('{{count}}')[0]!)

    await button(words.me.replaceTotp).click()
    await submit({ currentPassword: `${chosenPassword}, changed` }, words.me.replaceTotp)
    await dialog.getByRole('img', { name: words.secret.qrCode }).waitFor()
    await isSound()
    const secret = (await dialog.locator('code').textContent())!.replaceAll(' ', '')
    await button(words.secret.done).click()
    await dialog.waitFor({ state: 'detached' })
    await ada.signOut()
    site.gateway.advanceSeconds(60)
    await ada.signIn('ada', `${chosenPassword}, changed`, codeOf(added))
    await page.getByText(words.errors.AUTHENTICATION_FAILED).waitFor()
    await page.getByLabel(words.signIn.totp).fill(codeOf({ totpUri: `otpauth://totp/ada?secret=${secret}` }))
    await button(words.signIn.submit).click()
    await heading(words.overview.title).waitFor()
    expect(ada.faults).toEqual([])
  })

  test('a viewer without one-time codes sets them up before anything else', async () => {
    const { password } = await addOperator(site.gateway, 'vic', 'viewer')
    const vic = await site.operator(acting)
    const { page, words, button, heading, isSound } = vic
    const codeOf = (secret: string) => totpOf({ totpUri: `otpauth://totp/vic?secret=${secret}` }, site.gateway.now())
    await vic.signIn('vic', password)
    await vic.replaceFirstPassword(password, words.enrol.title)
    await isSound()
    await page.getByLabel(words.enrol.current, { exact: true }).fill(chosenPassword)
    await button(words.enrol.show).click()
    await page.getByRole('img', { name: words.secret.qrCode }).waitFor()
    const secret = (await page.locator('code').first().textContent())!.replaceAll(' ', '')
    await page.getByLabel(words.enrol.code).fill(codeOf(secret) === '000000' ? '111111' : '000000')
    await button(words.enrol.submit).click()
    await page.getByText(words.errors.AUTHENTICATION_FAILED).waitFor()
    await isSound()
    await page.getByLabel(words.enrol.code).fill(codeOf(secret))
    await button(words.enrol.submit).click()
    await heading(words.overview.title).waitFor()
    await vic.signOut()
    await vic.signIn('vic', chosenPassword)
    await page.getByText(words.signIn.totpNeeded).waitFor()
    expect(vic.faults).toEqual([])
  })

  test('an administrator resets and disables an operator, whose sessions end', async () => {
    const admin = await addOperator(site.gateway, 'eve', 'admin')
    const added = await addOperator(site.gateway, 'bo', 'support')
    const [eve, bo] = await Promise.all([site.operator(acting), site.operator(acting)])
    const { page, words, submit, untilStatus } = eve
    await eve.signIn('eve', admin.password, totpOf(admin, site.gateway.now()))
    await eve.replaceFirstPassword(admin.password)
    await bo.signIn('bo', added.password, totpOf(added, site.gateway.now()))
    await bo.replaceFirstPassword(added.password)

    await eve.goTo('operators')
    await page.getByRole('button', { name: `${words.operators.reset}: bo` }).click()
    await submit({ reason: 'lost the phone' }, words.operators.reset)
    const reset = await eve.passOn('bo')
    await bo.heading(words.signIn.title).waitFor()
    await bo.signIn('bo', reset.password)
    await bo.heading(words.firstPassword.title).waitFor()

    await page.getByRole('button', { name: `${words.operators.disable}: bo` }).click()
    await submit({ reason: 'left the team' }, words.operators.disable)
    await untilStatus(words.operators.disabled.replace('{{name}}', 'bo'))
    await eve.isSound()
    await bo.page.reload()
    await bo.heading(words.signIn.title).waitFor()
    await bo.signIn('bo', reset.password)
    await bo.page.getByText(words.errors.AUTHENTICATION_FAILED).waitFor()
    expect([...eve.faults, ...bo.faults]).toEqual([])
  })
})
