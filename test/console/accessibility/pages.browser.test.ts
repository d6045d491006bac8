import { describe, expect, test } from 'vitest'
import { checkConsolePages } from '../../../testkit/browser/check-console-pages.ts'
import { checkPage } from '../../../testkit/browser/check-page.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { guestPages, otherPages } from '../../../testkit/browser/registered-pages.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'

checkConsolePages('the other pages have no accessibility violations and fit every screen', [
  ...otherPages,
  '/playground/pick.compare',
  '/no-such-page',
])

describe.runIf(runsBrowser)('the pages for guests', () => {
  const site = setUpConsole()

  test('the pages for guests have no accessibility violations and fit every screen', async () => {
    const { page, text, open, go, steps, faults } = await site.visit({ language: 'zh-CN' })
    await open('/console/sign-in')
    for (const path of guestPages) {
      await go(`/console${path}`)
      await checkPage(page)
    }
    await steps.button(text.auth.recover.submit).click()
    await page.getByLabel(text.auth.recover.password, { exact: true }).fill('Password1234')
    await page.getByText(text.auth.register.passwordCommon).waitFor()
    await checkPage(page)
    expect(faults).toEqual([])
  })
})
