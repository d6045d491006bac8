import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFindings } from '../../../testkit/browser/axe.ts'
import { runsBrowser, sharedChromium } from '../../../testkit/browser/chromium.ts'
import { stepsOf } from '../../../testkit/browser/console-steps.ts'
import { type Language, visitConsole } from '../../../testkit/browser/console-visit.ts'
import { type GatewayProcess, startGatewayProcess } from '../../../testkit/gateway/gateway-process.ts'
import { freePort } from '../../../testkit/http/free-port.ts'
import { type Database, isFullMatrix, migratedDatabase } from '../../../testkit/store/engines.ts'

/** Both widths and both languages; all four combinations in the long form. */
const looks: [number, Language][] = [
  [360, 'zh-CN'],
  [1280, 'en-US'],
  ...(isFullMatrix
    ? ([
        [360, 'en-US'],
        [1280, 'zh-CN'],
      ] as [number, Language][])
    : []),
]

/** A gateway of its own process, which is killed in the middle of payments. */
describe.runIf(runsBrowser)('paying', () => {
  let browser: Browser
  let database: Database
  let gateway: GatewayProcess
  let start: () => Promise<GatewayProcess>
  let origin: string
  beforeAll(async () => {
    const [chromium, migrated, port] = await Promise.all([sharedChromium(), migratedDatabase('sqlite'), freePort()])
    ;[browser, database] = [chromium, migrated]
    const { dataDir, databaseUrl } = database
    origin = `http://localhost:${port}`
    const file = join(dataDir, 'config.json')
    await writeFile(file, JSON.stringify({ payments: { queryAfterSeconds: [1, 2, 3], queryEverySeconds: 1 } }))
    const environment = {
      GATEWAY_ORIGIN: origin,
      GATEWAY_DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl ?? 'sqlite:',
      GATEWAY_CONFIG: file,
    }
    start = () => startGatewayProcess({ environment, port })
    gateway = await start()
  })
  afterAll(async () => {
    await gateway?.kill()
    await database?.remove()
  })

  async function killAndStart(): Promise<void> {
    await gateway.kill()
    gateway = await start()
  }

  function codeFor(phone: string): string {
    const file = join(database.dataDir, 'sms-outbox.jsonl')
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
    return lines.map((line) => JSON.parse(line)).findLast((line) => line.phone === phone).code
  }

  /** Somebody new, and what they do in turn. */
  async function newPayer(width: number, language: Language) {
    const isPhone = width === 360
    const context = await browser.newContext({
      locale: language,
      viewport: { width, height: 800 },
      hasTouch: isPhone,
      isMobile: isPhone,
    })
    const visit = await visitConsole(browser, origin, { context, language })
    const steps = stepsOf(visit, codeFor)
    const { page, text } = visit
    const { payment: words } = text
    // A phone gets the page of the provider, because nobody scans a code on the same screen.
    const shown = isPhone ? page.getByRole('link', { name: words.open }) : page.getByRole('img', { name: words.code })
    return {
      async begin() {
        await steps.arrive('/console/recharge')
        await steps.button(words.methods.simulated).click()
        await shown.waitFor()
        await expect.poll(() => page.getByRole('img', { name: words.code }).count()).toBe(isPhone ? 0 : 1)
        expect(await axeFindings(page)).toEqual([])
      },
      async pay() {
        await page.reload()
        await shown.waitFor()
        const opened = context.waitForEvent('page')
        await page.getByRole('link', { name: words.open }).click()
        const provider = await opened
        await provider.getByRole('button', { name: /^Pay ·/ }).click()
        await provider.getByText('paid 1×').waitFor()
      },
      /** By itself, without a reload, even if the worker was killed while it asked. */
      seesPaid: () => page.getByText(paidText(words.states.paid)).waitFor(),
      /** The order of a cancelled payment is offered no more, and its address leads back to the payment. */
      async cancelAnother() {
        await steps.button(words.again).click()
        await steps.button(words.methods.simulated).click()
        await shown.waitFor()
        await steps.button(words.cancel).click()
        await page.getByText(words.states.cancelled).waitFor()
        await steps.button(words.again).click()
        const rows = page.locator('#content tbody tr')
        await expect.poll(() => rows.count()).toBe(2)
        await expect.poll(() => rows.getByText(text.recharge.continue, { exact: true }).count()).toBe(0)
        await rows.first().getByRole('link').first().click()
        await page.getByText(words.states.cancelled).waitFor()
      },
      async end() {
        const me = await (await context.request.get(`${origin}/v1/me`)).json()
        expect(me.credits).toEqual({ available: 500, reserved: 0 })
        // Besides the connections that the kills broke.
        expect(visit.faults.filter((fault) => !/net::ERR_/.test(fault))).toEqual([])
        await context.close()
      },
    }
  }

  test('people at every width and in every language pay while the gateway is killed twice', async () => {
    const payers = await Promise.all(looks.map(([width, language]) => newPayer(width, language)))
    const all = (step: (payer: (typeof payers)[number]) => Promise<void>) => Promise.all(payers.map(step))
    await all(({ begin }) => begin())
    await killAndStart()
    await all(({ pay }) => pay())
    await killAndStart()
    await all(({ seesPaid }) => seesPaid())
    await all(({ cancelAnother }) => cancelAnother())
    await all(({ end }) => end())
  })
})

/** Around the credits, which are written with their value. */
const paidText = (text: string) =>
  new RegExp(
    text
      .split('{{credits}}')
      .map((part) => part.trim())
      .join('.*'),
  )
