import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicOperations } from '../../src/contract/operations.ts'
import { launchChromium, runsBrowser } from '../support/browser/chromium.ts'
import { type DocumentServer, startDocumentServer } from '../support/http/document-server.ts'
import { providerNames } from '../support/providers/provider-names.ts'

const operations = publicOperations(providerNames)

describe.runIf(runsBrowser)('the docs page in a browser', { timeout: 90_000 }, () => {
  let server: DocumentServer
  let browser: Browser
  beforeAll(async () => {
    server = await startDocumentServer()
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await server.close()
  })

  /** Opens the page and notes what it asks for, what the policy stops and what goes wrong. */
  async function visit(path: string) {
    const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } })
    const requests: string[] = []
    const faults: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    await page.exposeFunction('noteViolation', (text: string) => faults.push(text))
    await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
      noteViolation(event.effectiveDirective + ' ' + event.blockedURI))`)
    await page.goto(`${server.origin}${path}`)
    return { page, requests, faults }
  }

  const sidebar = (page: Page) => page.getByRole('complementary')
  const linkTo = (page: Page, id: string) => {
    const { summary, method } = operations.find((operation) => operation.id === id)!
    return sidebar(page).getByRole('link', { name: `${summary} HTTP Method: ${method}`, exact: true })
  }

  async function openGroups(page: Page): Promise<void> {
    await linkTo(page, 'auth.login').waitFor()
    for (const tag of new Set(operations.map((operation) => operation.tag))) {
      const closed = sidebar(page).getByRole('button', { name: `Open Group - ${tag}`, exact: true })
      if (await closed.isVisible()) await closed.click()
    }
  }

  const expectAtHome = (requests: string[]) => {
    for (const url of requests) expect(url).toMatch(new RegExp(`^(${server.origin}/|data:|blob:)`))
  }

  test('it shows every operation and sends a request, breaks no rule of the policy and stays at home', async () => {
    const { page, requests, faults } = await visit('/docs')
    await openGroups(page)
    for (const { id } of operations) await linkTo(page, id).waitFor()
    await linkTo(page, 'pricing.get').click()
    await page.getByRole('button', { name: 'Test Request (get /v1/pricing)' }).click()
    const answered = page.waitForResponse(`${server.origin}/v1/pricing`)
    await page
      .getByRole('button', { name: /^Send (get|request)/i })
      .last()
      .click()
    expect((await answered).status()).toBe(200)
    expect(faults).toEqual([])
    expectAtHome(requests)
    await page.close()
  })

  test('below /gateway it uses what is served there, and works again from the copies it kept', async () => {
    const { page, requests, faults } = await visit('/gateway/docs')
    await linkTo(page, 'auth.login').waitFor()
    await page.reload()
    await linkTo(page, 'auth.login').waitFor()
    expect(faults).toEqual([])
    expectAtHome(requests)
    for (const url of requests) expect(new URL(url).pathname).toMatch(/^\/gateway\/(docs|openapi\.json)|^,$/)
    await page.close()
  })
})
