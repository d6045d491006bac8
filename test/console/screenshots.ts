import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../testkit/browser/chromium.ts'
import { type ConsoleGateway, startConsoleGateway } from '../../testkit/browser/console-gateway.ts'
import { sessionWriter, stepsOf } from '../../testkit/browser/console-steps.ts'
import { type Visit, type VisitOptions, visitConsole } from '../../testkit/browser/console-visit.ts'
import { visitOperatorConsole } from '../../testkit/browser/operator-steps.ts'
import { operatorPages } from '../../testkit/browser/registered-pages.ts'
import { heavyAccountDays, seedHeavyAccount } from '../../testkit/browser/seed-heavy-account.ts'

const directory = fileURLToPath(new URL('../../screenshots/', import.meta.url))

const publicPages = {
  home: '/',
  prices: '/pricing',
  docs: '/docs',
  verify: '/verify',
  status: '/status',
  'not-found': '/nothing-here',
}
const signedOut = { 'sign-in': '/sign-in', register: '/register', recover: '/recover' }
const signedIn = {
  overview: '',
  recharge: '/recharge',
  usage: '/usage',
  ledger: '/ledger',
  reviews: '/reviews',
  keys: '/keys',
  playground: '/playground/pick.compare',
  media: '/media',
  pricing: '/pricing',
  account: '/account',
  events: '/events',
  webhooks: '/webhooks',
  proof: '/proof',
  alerts: '/alerts',
}

const withTrouble = { overview: '', recharge: '/recharge', ledger: '/ledger', keys: '/keys', events: '/events' }

const looks = {
  en: { language: 'en-US' },
  zh: { language: 'zh-CN' },
  'en-dark': { language: 'en-US', colorScheme: 'dark' },
  'zh-360': { language: 'zh-CN', width: 360 },
  'en-dark-360': { language: 'en-US', width: 360, colorScheme: 'dark' },
  'zh-dark-768': { language: 'zh-CN', width: 768, colorScheme: 'dark' },
  'zh-1920': { language: 'zh-CN', width: 1920 },
} as const satisfies Record<string, VisitOptions>

type Cookies = Awaited<ReturnType<Visit['context']['cookies']>>

/** Takes pictures of every page, of an empty and of a heavy account, in both languages, dark, narrow and wide. */
async function main(): Promise<void> {
  await mkdir(directory, { recursive: true })
  const browser = await launchChromium()
  const gateway = await startConsoleGateway({ startDaysAgo: heavyAccountDays })
  const heavy = await visitConsole(browser, gateway.origin)
  await seedHeavyAccount(gateway, heavy, stepsOf(heavy, gateway.codeFor))
  const heavyCookies = await heavy.context.cookies()
  const troubled = await visitConsole(browser, gateway.origin)
  await stepsOf(troubled, gateway.codeFor).arrive()
  await seedTroubledOrders(browser, gateway, troubled)
  const troubledCookies = await troubled.context.cookies()
  for (const [look, options] of Object.entries(looks)) {
    const open = async (cookies: Cookies = []) => {
      const visit = await visitConsole(browser, gateway.origin, options)
      await visit.context.addCookies(cookies)
      return visit
    }
    const fresh = await open()
    await takePublicPages(fresh, look)
    await takePages(fresh, signedOut, (name) => `${name}.${look}`)
    await stepsOf(fresh, gateway.codeFor).arrive()
    await takePages(fresh, signedIn, (name) => `${name}.empty.${look}`)
    await takeSecurity(fresh, gateway, look)
    await takeFlow(fresh, gateway.codeFor, look)
    const full = await open(heavyCookies)
    await takePages(full, signedIn, (name) => `${name}.${look}`)
    await full.open('/console/usage?state=settled')
    await full.page.getByRole('cell').getByRole('link').first().click()
    await full.page.getByRole('dialog').getByText(full.text.chargeDetails.paid).first().waitFor()
    await take(full, `charge-details.${look}`)
    const trouble = await open(troubledCookies)
    await takePages(trouble, withTrouble, (name) => `${name}.trouble.${look}`)
    const operator = await takeOperator(browser, gateway, options, look)
    for (const { faults, context } of [fresh, full, trouble, operator]) {
      if (faults.length > 0) console.warn(look, faults)
      await context.close()
    }
  }
  await browser.close()
  await gateway.stop()
}

async function take({ page, text }: Visit, name: string): Promise<void> {
  await page.getByLabel(text.common.loading).first().waitFor({ state: 'detached' })
  await page.screenshot({ path: join(directory, `${name}.png`), fullPage: true })
}

async function takePages(visit: Visit, paths: Record<string, string>, nameOf: (name: string) => string) {
  for (const [name, path] of Object.entries(paths)) {
    await visit.open(`/console${path}`)
    await take(visit, nameOf(name))
  }
}

async function takePublicPages(visit: Visit, look: string): Promise<void> {
  for (const [name, path] of Object.entries(publicPages)) {
    await visit.page.goto(`${visit.origin}${path}`)
    await take(visit, `public-${name}.${look}`)
  }
}

/** An order in every state that it can end in, and keys with the longest names. */
async function seedTroubledOrders(browser: Browser, gateway: ConsoleGateway, { context, origin }: Visit) {
  const write = sessionWriter(context, origin)
  const operator = await visitOperatorConsole(browser, gateway, {})
  await operator.open('/sign-in')
  await operator.signInWithLink()
  const { words, button, submit, go, dialog } = operator

  const begin = async (amountFen: number) => {
    const order = { amountFen, method: 'simulated' }
    const { paymentId, orderId, qrText } = await write('/v1/console/payments', order, {
      'idempotency-key': `${amountFen}`,
    })
    const until = async (isThere: (order: { state: string; extraPayments: unknown[] }) => boolean) => {
      const read = async () => (await context.request.get(`${origin}/v1/console/orders/${orderId}`)).json()
      while (!isThere(await read())) await operator.page.waitForTimeout(100)
    }
    const send = (form: Record<string, string>) => context.request.post(qrText!, { form, headers: { origin } })
    return { paymentId: paymentId!, orderId, send, until }
  }
  const pay = async (amountFen: number) => {
    const order = await begin(amountFen)
    await order.send({ action: 'pay' })
    await order.until(({ state }) => state === 'credited')
    return order
  }
  const refund = async (paymentId: string, yuan: string) => {
    await go(`/payments/${paymentId}`)
    await button(words.payments.refund).click()
    await submit({ amount: yuan, reference: `refund ${yuan}`, reason: 'by request' }, words.payments.refund)
    await dialog.waitFor({ state: 'detached' })
  }

  await pay(5000)
  const refunded = await pay(4000)
  await refund(refunded.paymentId, '10.00')
  await refund(refunded.paymentId, '5.00')
  const twice = await pay(3000)
  await twice.send({ action: 'pay' })
  await twice.until(({ extraPayments }) => extraPayments.length === 1)
  const other = await begin(2000)
  await other.send({ action: 'pay_other' })
  await other.until(({ state }) => state === 'in_review')
  const cancelled = await begin(1500)
  await write(`/v1/console/payments/${cancelled.paymentId}/cancel`, {})
  const expired = await begin(1200)
  gateway.advanceSeconds(3 * 3600)
  await expired.until(({ state }) => state !== 'pending')
  await begin(1000)
  for (const name of ['W'.repeat(64), '每周报表与数据分析平台正式环境专用密钥'.repeat(3)])
    await write(
      '/v1/console/keys',
      { scopes: ['models:invoke'], name },
      { 'idempotency-key': name.slice(0, 9) === 'WWWWWWWWW' ? 'w' : 'zh' },
    )
  await operator.context.close()
}

/** The forms that protect the account: with faults, with a code under way, and done. */
async function takeSecurity(visit: Visit, gateway: ConsoleGateway, look: string): Promise<void> {
  const { page, text, context } = visit
  const { account, auth } = text
  const { button } = stepsOf(visit, gateway.codeFor)
  const dialog = page.getByRole('dialog')
  const field = (label: string) => page.getByLabel(label, { exact: true })
  await visit.open('/console/account')
  await button(auth.register.sendCode).click()
  await page.getByText(account.emailCodeSent.split('{{')[0]!).waitFor()
  await button(account.verifyEmail).click()
  await take(visit, `account.code-sent.${look}`)
  for (const [name, title] of [
    ['change-email', account.changeEmail],
    ['change-password', account.changePassword],
  ] as const) {
    await button(title).click()
    await dialog.getByRole('button', { name: title, exact: true }).click()
    if (name === 'change-password') await field(auth.recover.password).fill('Password1234')
    await page.screenshot({ path: join(directory, `${name}.${look}.png`) })
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
  let code: string | undefined
  while (!code) {
    code = gateway.emailOutbox().findLast(({ kind }) => kind === 'verification')?.code
    await page.waitForTimeout(100)
  }
  await field(account.emailCode).fill(code)
  await button(account.verifyEmail).click()
  await page.getByText(account.emailVerifiedNews).waitFor()
  await take(visit, `account.verified.${look}`)
  const cookies = await context.cookies()
  await context.clearCookies()
  await visit.open('/console/recover')
  await field(auth.recover.password).fill('Password1234')
  await button(auth.recover.submit).click()
  await take(visit, `recover.faults.${look}`)
  await context.addCookies(cookies)
}

/** Every page of the operator's console, and one account with a grant. */
async function takeOperator(browser: Browser, gateway: ConsoleGateway, options: VisitOptions, look: string) {
  const operator = await visitOperatorConsole(browser, gateway, options)
  const { page, words, button } = operator
  await operator.open('/sign-in')
  await take(operator, `operator-sign-in.${look}`)
  await operator.signInWithLink()
  for (const path of operatorPages.filter((path) => !path.includes(':'))) {
    await operator.open(path)
    await take(operator, `operator-${path.slice(1) || 'overview'}.${look}`)
  }
  await operator.open('/reviews')
  await page.getByRole('link', { name: /^prj_/ }).first().click()
  await button(words.money.grant).waitFor()
  await button(words.money.grant).click()
  await page.screenshot({ path: join(directory, `operator-grant.${look}.png`) })
  await operator.submit({ credits: '500', reference: `transfer ${look}`, reason: 'Bank transfer' }, words.money.grant)
  await operator.untilStatus(/500/)
  await take(operator, `operator-account.${look}`)
  return operator
}

/** From the order to the first response. */
async function takeFlow(visit: Visit, codeFor: (phone: string) => string, look: string): Promise<void> {
  const { page, text } = visit
  const steps = stepsOf(visit, codeFor)
  await visit.open('/console/recharge')
  await steps.pay('50').click()
  await steps.button(text.payment.paySimulated).waitFor()
  await take(visit, `order.${look}`)
  await steps.button(text.payment.paySimulated).click()
  await steps.button(text.payment.again).waitFor()
  await take(visit, `paid.${look}`)
  await visit.open('/console/keys')
  await steps.createKey()
  await page.screenshot({ path: join(directory, `new-key.${look}.png`) })
  await steps.button(text.keys.finishAndTry).click()
  await page.getByRole('heading', { name: text.playground.title }).waitFor()
  await steps.runInPlayground()
  await take(visit, `answer.${look}`)
}

await main()
