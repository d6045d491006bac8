import { describe, expect, test } from 'vitest'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'

describe.runIf(runsBrowser)('the console in a browser', () => {
  const site = setUpConsole()

  test('a new user registers and sees the overview', async () => {
    const { page, text, open, steps, faults } = await site.visit()
    await open('/console')
    await page.getByRole('link', { name: text.auth.signIn.toRegisterLink }).click()
    await steps.register()
    await page.getByRole('main').getByRole('link', { name: text.overview.stepOrder }).waitFor()
    expect(faults).toEqual([])
  })
})
