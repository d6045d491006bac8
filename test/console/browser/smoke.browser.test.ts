import { describe, expect, test } from 'vitest'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'

describe.runIf(runsBrowser)('the console in a browser', () => {
  const site = setUpConsole()

  test('a new user registers and sees the overview', async () => {
    const { page, context, origin, text, open, steps, faults } = await site.visit()
    await open('/console')
    await page.getByRole('link', { name: text.auth.signIn.toRegisterLink }).click()
    await steps.register()
    await page.getByRole('main').getByRole('link', { name: text.overview.stepOrder }).waitFor()

    // The public pages know who is signed in, in other tabs at once, and ask no server for it.
    const tab = await context.newPage()
    const wayIn = (name: string) => tab.getByRole('banner').getByRole('link', { name, exact: true })
    await tab.goto(`${origin}/en`)
    await wayIn('Console').waitFor()
    await expect.poll(() => wayIn('Sign in').count()).toBe(0)
    await open('/console/account')
    await steps.signOut()
    await wayIn('Sign in').waitFor()
    await expect.poll(() => wayIn('Console').count()).toBe(0)
    await tab.close()
    expect(faults).toEqual([])
  })
})
