import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { homeWords } from '../../../console/site/home/words.ts'
import { statusWords } from '../../../console/site/status/words.ts'
import { verifyWords } from '../../../console/site/verify/words.ts'
import { languageTags } from '../../../src/documents/guide.ts'
import { axeFindings } from '../../../testkit/browser/axe.ts'
import { fitsScreen } from '../../../testkit/browser/check-page.ts'
import { runsBrowser, sharedChromium } from '../../../testkit/browser/chromium.ts'
import { type ConsoleGateway, startConsoleGateway } from '../../../testkit/browser/console-gateway.ts'
import { visitConsole } from '../../../testkit/browser/console-visit.ts'
import { runCommand } from '../../../testkit/gateway/run-command.ts'
import { isFullMatrix } from '../../../testkit/store/engines.ts'

const mostBytes = 60_000
const incident = { zh: '模型对话响应变慢', en: 'Model chat is slow' }

describe.runIf(runsBrowser)('the public pages', () => {
  let gateway: ConsoleGateway
  beforeAll(async () => {
    gateway = await startConsoleGateway()
    await runCommand(gateway.database, ['incidents', 'add', '--zh', incident.zh, '--en', incident.en])
  })
  afterAll(() => gateway.stop())

  test.each([
    ['en-US', 'en', 1280],
    ['zh-CN', 'zh', 360],
    ...(isFullMatrix
      ? ([
          ['en-US', 'en', 360],
          ['zh-CN', 'zh', 1280],
        ] as const)
      : []),
  ] as const)(
    'in %s (%s) at %i px say what it is, how to call it and what it costs, and verify a receipt, within 60 KB',
    async (language, path, width) => {
      const words = homeWords[path]
      const visit = await visitConsole(await sharedChromium(), gateway.origin, { language, width })
      const { page, faults, open, context } = visit
      const requests: Request[] = []
      const note = (request: Request) => void requests.push(request)
      page.on('requestfinished', note)
      await open('/')
      await page.getByRole('heading', { name: words.sentence }).waitFor()
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(languageTags[path])
      await page.getByText(words.receiptChecked).waitFor()
      await expect.poll(() => page.locator('#receipt [data-state="holds"]').count()).toBe(5)
      await page.waitForLoadState('networkidle')
      page.off('requestfinished', note)
      expect(requests.map((request) => new URL(request.url()).pathname)).toContain('/verify/sample.json')
      const sizes = await Promise.all(requests.map((request) => request.sizes()))
      const bytes = sizes.reduce((sum, size) => sum + size.responseBodySize + size.responseHeadersSize, 0)
      expect(bytes).toBeGreaterThan(2000)
      expect(bytes).toBeLessThan(mostBytes)
      // The colours are the same in each language.
      await isSound(page, { inDark: language === 'en-US' })
      await page.getByText('OpenAI', { exact: true }).click()
      await page.getByRole('button', { name: words.copy }).click()
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain(`${gateway.origin}/v1`)
      // The price of a video is for each second.
      const video = page.getByRole('row').filter({ hasText: '/v1/media/jobs' })
      await expect.poll(() => video.textContent()).toContain(words.perSecond(words.credits(5, '0.50')))
      await page.getByRole('link', { name: words.allPrices }).click()
      await page.getByRole('heading', { name: words.prices, level: 1 }).waitFor()
      await isSound(page, { inDark: language === 'en-US' })
      await page.getByRole('link', { name: words.register }).click()
      await page.waitForURL('**/console/register')
      await open('/status')
      await page.getByRole('heading', { name: statusWords[path].title, level: 1 }).waitFor()
      await page.getByText({ en: incident.en, zh: incident.zh }[path]).waitFor()
      await isSound(page, { inDark: language === 'en-US' })
      expect(faults).toEqual([])
      await context.close()
    },
  )

  test.each([
    ['zh-CN', 'zh', 1280],
    ['en-US', 'en', 360],
  ] as const)('in %s (%s) at %i px a receipt is verified in the page', async (language, path, width) => {
    const words = verifyWords[path]
    const visit = await visitConsole(await sharedChromium(), gateway.origin, { language, width })
    const { page, faults, open, context } = visit
    await open('/verify')
    await page.getByRole('heading', { name: words.title, level: 1 }).waitFor()
    await isSound(page)
    const title = await page.evaluate(
      'getComputedStyle(document.querySelector(".meaning td + td"), "::before").content',
    )
    // Without its column's title, what a check does not prove would read as a claim.
    expect(title).toBe(width === 360 ? `"${words.limitsTitle}"` : 'none')
    await page.getByRole('button', { name: words.sample }).click()
    const verdict = page.locator('.verdict')
    await expect.poll(() => verdict.textContent()).toContain(words.said.verified)
    // The sample is of a call; only orders have a payment.
    const { payment: _, ...steps } = words.said.steps
    for (const name of Object.values(steps)) await page.locator('.checks').getByText(name, { exact: true }).waitFor()
    expect(await page.locator('.checks').textContent()).not.toContain('canonical')
    await isSound(page)
    const receipt = await page.locator('#receipt').inputValue()
    // The keys of this gateway did not sign the sample.
    const file = { name: 'receipt.jws', mimeType: 'application/jose', buffer: Buffer.from(`${receipt}\n`) }
    await page.getByLabel(words.file).setInputFiles(file)
    await expect.poll(() => verdict.textContent()).toContain(words.said.notVerified)
    await page.getByText(words.said.fault.signature, { exact: true }).waitFor()
    // A file that is dropped is read, too.
    await page.evaluate(`{
      const files = new DataTransfer()
      files.items.add(new File(['nothing'], 'x.jws'))
      const place = document.querySelector('#form')
      place.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }))
    }`)
    await expect.poll(() => page.locator('#receipt').inputValue()).toBe('nothing')
    await expect.poll(() => verdict.textContent()).toContain(words.said.notVerified)
    expect(faults).toEqual([])
    await context.close()
  })

  test('without scripts the pages offer the sign-in, and /verify says how to verify a file', async () => {
    const context = await (await sharedChromium()).newContext({ javaScriptEnabled: false, locale: 'en-US' })
    const page = await context.newPage()
    await page.goto(`${gateway.origin}/verify`)
    await page.getByText(verifyWords.en.withoutScript).waitFor()
    await page.getByText('node verify.mjs receipt.jws').waitFor()
    expect(await page.locator('#form').isVisible()).toBe(false)
    await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor()
    expect(await page.getByRole('banner').getByRole('link', { name: 'Console', exact: true }).count()).toBe(0)
    await context.close()
  })

  test('people get a page, not JSON, where there is nothing', async () => {
    const visit = await visitConsole(await sharedChromium(), gateway.origin, {})
    const { page, context } = visit
    for (const origin of [gateway.origin, gateway.operatorOrigin]) {
      await page.goto(`${origin}/nothing-here`)
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
      await isSound(page)
    }
    await page.goto(`${gateway.origin}/docs/`)
    await page.waitForURL('**/docs')
    const icon = await context.request.get(`${gateway.origin}/favicon.ico`)
    expect(icon.headers()['content-type']).toBe('image/svg+xml')
    const asProgram = await context.request.get(`${gateway.origin}/nothing-here`, { headers: { accept: '*/*' } })
    expect((await asProgram.json()).error.code).toBe('NOT_FOUND')
    await context.close()
  })
})

async function isSound(page: Page, { inDark = true } = {}): Promise<void> {
  expect(await axeFindings(page)).toEqual([])
  await fitsScreen(page)
  if (!inDark) return
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await axeFindings(page, { only: ['color-contrast'] })).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
}
