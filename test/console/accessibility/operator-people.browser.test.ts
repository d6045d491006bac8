import { describe, expect, test } from 'vitest'
import { checkOperatorPages } from '../../../testkit/browser/check-operator-pages.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { peoplePages } from '../../../testkit/browser/registered-pages.ts'

describe.runIf(runsBrowser)('the pages of operators up to approvals have no violations and fit every screen', () => {
  const pages = checkOperatorPages(peoplePages)

  test('the search, the dialogs of an account, and a request for approval', async () => {
    const { operator, history } = pages()
    const { page, words, text, button, dialog, go, goTo, submit, untilStatus, isSound, faults } = operator
    await go(`/projects/${history.projectId}`)
    await page.keyboard.press('Control+k')
    await dialog.getByRole('combobox').fill(history.chargeIds[0]!)
    await dialog.getByText(words.search.kinds.charge).waitFor()
    await isSound()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await button(words.money.grant).click()
    await submit({}, words.money.grant)
    await dialog.getByText(text.common.required).first().waitFor()
    await isSound()
    await submit({ credits: '5000', reference: 'transfer', reason: 'a bank transfer' }, words.money.grant)
    await untilStatus(words.money.pending)
    await button(words.accounts.recover).click()
    await submit({ reason: 'the customer called' }, words.accounts.recover)
    await dialog.locator('code').waitFor()
    await isSound()
    await button(words.secret.done).click()
    await dialog.waitFor({ state: 'detached' })
    await goTo('approvals')
    await expect.poll(() => page.getByText(words.approvals.own, { exact: true }).count()).toBe(2)
    await isSound()
    await goTo('incidents')
    await button(words.incidents.add).click()
    const texts = { zh: '数据库升级', en: 'The database\nis upgraded' }
    await submit({ ...texts, from: '2026-09-03T08:00', to: '2026-09-03T07:00' }, words.incidents.submit)
    await dialog.getByText(words.errors.INCIDENT_TIME_INVALID).waitFor()
    await isSound()
    await submit({ from: '', to: '' }, words.incidents.submit)
    await untilStatus(words.incidents.published)
    await page.getByRole('row').filter({ hasText: 'The database is upgraded' }).waitFor()
    await isSound()
    await button(words.incidents.end).click()
    await submit({}, words.incidents.end)
    await untilStatus(words.incidents.ended)
    await page.getByText(words.incidents.states.ended, { exact: true }).waitFor()
    expect(faults).toEqual([])
  })
})
