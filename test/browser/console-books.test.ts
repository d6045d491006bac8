import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium, runsBrowser } from '../support/chromium.ts'
import { type ConsoleGateway, startConsoleGateway } from '../support/console-gateway.ts'
import { arriveWithHistory } from '../support/console-history.ts'
import { stepsOf } from '../support/console-steps.ts'
import { type VisitOptions, visitConsole } from '../support/console-visit.ts'
import type { SeededCharge } from '../support/seed-charges.ts'

const hourMs = 3_600_000

/** 26 calls in review among 60 that were settled. */
const charges: SeededCharge[] = Array.from({ length: 86 }, (_, i) => ({
  at: Date.now() - (86 - i) * hourMs,
  operation: i % 2 === 0 ? 'model.chat' : 'pick.search',
  ...(i % 3 === 0 && i < 78
    ? { state: 'manual_review', reason: 'the time for the call ran out after sending' }
    : { state: 'settled' }),
}))

describe.runIf(runsBrowser)('the ledger and the reviews', { timeout: 60_000 }, () => {
  let gateway: ConsoleGateway
  let browser: Browser
  beforeAll(async () => {
    ;[gateway, browser] = await Promise.all([startConsoleGateway(), launchChromium()])
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
  })

  async function visit(path: string, options: VisitOptions = {}) {
    const visited = await visitConsole(browser, gateway.origin, options)
    const steps = stepsOf(visited, gateway.codeFor)
    const history = await arriveWithHistory(gateway, visited, steps, { charges, path })
    return { ...visited, steps, history }
  }

  test('26 reviews are rows of one table, after the explanation', async () => {
    const { page, text, faults, context } = await visit('/console/reviews')
    await expect.poll(() => page.locator('#content tbody tr').count()).toBe(26)
    const table = (await page.getByRole('table').boundingBox())!
    const explained = (await page.getByText(text.reviews.next3).boundingBox())!
    expect(explained.y).toBeLessThan(table.y)
    expect(table.height).toBeLessThan(26 * 80)
    expect(faults).toEqual([])
    await context.close()
  })
})
