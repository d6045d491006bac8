import { describe, expect, test } from 'vitest'
import { payment } from '../../../console/src/pages/payment/words.ts'
import { axeFindings } from '../../support/browser/axe.ts'
import { runsBrowser } from '../../support/browser/chromium.ts'
import { setUpConsole } from '../../support/browser/set-up-console.ts'

describe.runIf(runsBrowser)('paying', () => {
  const site = setUpConsole()

  test.each([360, 1280])('a person pays, and the credits arrive by themselves, at %i px', async (width) => {
    const { page, steps } = await site.signedIn()
    await page.setViewportSize({ width, height: 800 })
    await steps.goTo('recharge')
    const words = (await page.locator('html').getAttribute('lang'))?.startsWith('zh') ? payment.zh : payment.en
    await page.getByRole('button', { name: words.methods.simulated }).click()
    await page.getByRole('img', { name: words.code }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    // A reload changes nothing.
    await page.reload()
    await page.getByRole('img', { name: words.code }).waitFor()
    const opened = page.waitForEvent('popup')
    await page.getByRole('link', { name: words.open }).click()
    const provider = await opened
    await provider.getByRole('button', { name: /^Pay ·/ }).click()
    await page.getByText(words.states.paid.split('{{credits}}')[0]!.trim(), { exact: false }).waitFor()
  })
})
