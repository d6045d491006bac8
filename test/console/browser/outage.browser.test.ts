import { describe, expect, test } from 'vitest'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { looks } from '../../../testkit/browser/looks.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'

describe.runIf(runsBrowser)('the console while the gateway is down', () => {
  const site = setUpConsole()

  test('a page that could not be loaded leaves the menu in place and loads when tried again', async () => {
    const { page, text, steps } = await site.visit()
    const keysPage = /\/console\/assets\/keys-[\w-]+\.js$/
    await page.route(keysPage, (route) => route.abort('connectionrefused'))
    await steps.arrive()
    const menu = page.getByRole('navigation')
    await menu.getByRole('link', { name: text.keys.title, exact: true }).click()
    await steps.button(text.common.tryAgain).waitFor()
    await menu.getByRole('link', { name: text.overview.title, exact: true }).click()
    await page.getByRole('heading', { name: text.overview.title, level: 1 }).waitFor()
    await menu.getByRole('link', { name: text.keys.title, exact: true }).click()
    await steps.button(text.common.tryAgain).waitFor()
    await page.unroute(keysPage)
    await steps.button(text.common.tryAgain).click()
    await page.getByRole('heading', { name: text.keys.title, level: 1 }).waitFor()
  })

  test('every page opens without the gateway once the console was idle for a moment', async () => {
    const { page, text, steps, context } = await site.visit({ isolated: true })
    const loaded = new Set<string>()
    page.on('requestfinished', (request) => {
      const name = /\/assets\/([a-z-]+)-[\w-]{8}\.js$/.exec(request.url())?.[1]
      if (name) loaded.add(name)
    })
    await steps.arrive()
    const pages = [
      'recharge',
      'usage',
      'charge-details',
      'ledger',
      'reviews',
      'keys',
      'playground',
      'pricing',
      'account',
    ]
    await expect.poll(() => pages.filter((name) => !loaded.has(name))).toEqual([])
    await context.setOffline(true)
    await steps.goTo('account')
    await page.getByRole('heading', { name: text.account.title, level: 1 }).waitFor()
  })

  test.each(looks('narrow'))(
    'what could not be read appears automatically later, in $language at $width px',
    async (look) => {
      const { page, text, steps } = await site.visit(look)
      await steps.arrive()
      const reads = '**/v1/console/alerts'
      await page.route(reads, (route) => route.abort('connectionrefused'))
      await steps.goTo('alerts')
      await page.getByText(text.trouble.offlineTitle).waitFor()
      await page.unroute(reads)
      await page.getByText(text.alerts.whatTitle).waitFor()
    },
  )
})
