import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { launchChromium } from '../support/browser/chromium.ts'
import { startConsoleGateway } from '../support/browser/console-gateway.ts'
import { seedProject } from '../support/browser/console-seed.ts'
import { stepsOf } from '../support/browser/console-steps.ts'
import { type VisitOptions, visitConsole } from '../support/browser/console-visit.ts'

const days = 20
const directory = new URL('../../screenshots/', import.meta.url).pathname

const signedOut = { 'sign-in': '/sign-in', register: '/register' }
const signedIn = {
  overview: '',
  recharge: '/recharge',
  usage: '/usage',
  ledger: '/ledger',
  reviews: '/reviews',
  keys: '/keys',
  playground: '/playground/pick.compare',
  pricing: '/pricing',
  account: '/account',
}

const looks = {
  en: { language: 'en-US' },
  zh: { language: 'zh-CN' },
  'en-dark': { language: 'en-US', colorScheme: 'dark' },
  'zh-360': { language: 'zh-CN', width: 360 },
  'en-dark-360': { language: 'en-US', width: 360, colorScheme: 'dark' },
} as const satisfies Record<string, VisitOptions>

/** Takes pictures of every page in both languages, and of all of them dark and narrow, into `screenshots/`. */
async function main(): Promise<void> {
  await mkdir(directory, { recursive: true })
  const browser = await launchChromium()
  for (const [look, options] of Object.entries(looks)) {
    const gateway = await startConsoleGateway({ startDaysAgo: days })
    const visit = await visitConsole(browser, gateway.origin, options)
    const { page, text } = visit
    const take = async (name: string) => {
      await page.getByLabel(text.common.loading).first().waitFor({ state: 'detached' })
      await page.screenshot({ path: join(directory, `${name}.${look}.png`), fullPage: true })
    }
    for (const [name, path] of Object.entries(signedOut)) {
      await visit.open(`/console${path}`)
      await take(name)
    }
    const steps = stepsOf(visit, gateway.codeFor)
    await seedProject(gateway, visit, steps, days)
    for (const [name, path] of Object.entries(signedIn)) {
      await visit.open(`/console${path}`)
      await take(name)
    }
    await visit.open('/console/usage?state=settled')
    await page.getByRole('cell').getByRole('link').first().click()
    await page.getByText(text.receipt.paid).waitFor()
    await take('receipt')
    await visit.open('/console/recharge')
    await steps.button(text.recharge.create).click()
    await steps.button(text.recharge.confirm).waitFor()
    await take('order')
    await visit.open('/console/keys')
    await steps.createKey()
    await page.screenshot({ path: join(directory, `new-key.${look}.png`) })
    await steps.button(text.keys.finishAndTry).click()
    await page.getByRole('heading', { name: text.playground.title }).waitFor()
    await steps.runInPlayground()
    await take('answer')
    if (visit.faults.length > 0) console.warn(look, visit.faults)
    await visit.context.close()
    await gateway.stop()
  }
  await browser.close()
}

await main()
