import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { sessionWriter } from '../../../testkit/browser/console-steps.ts'
import { texts } from '../../../testkit/browser/console-visit.ts'
import { looks } from '../../../testkit/browser/looks.ts'
import { failResponse, loseResponse } from '../../../testkit/browser/lose-response.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import { tick, untick } from '../../../testkit/browser/tick.ts'

describe.runIf(runsBrowser)('the playground', () => {
  const site = setUpConsole()

  let shared: Awaited<ReturnType<typeof site.withHistory>>
  beforeAll(async () => {
    shared = await site.withHistory()
  })

  /** A user with a key opens the page anew. */
  async function visit({ path = '/console/playground', width = 1280, person = shared } = {}) {
    const { page, text, open, history } = person
    await page.setViewportSize({ width, height: 900 })
    await open(path)
    await page.getByLabel(text.playground.key, { exact: true }).fill(history.apiKey)
    return { ...person, apiKey: history.apiKey }
  }

  async function inSight(target: Locator): Promise<boolean> {
    const box = await target.boundingBox()
    const { height } = target.page().viewportSize()!
    return box !== null && box.y >= 0 && box.y + box.height <= height
  }

  test.each([
    ['/console/playground', 1280],
    ['/console/playground/pick.compare', 1280],
    ['/console/playground', 360],
    ['/console/playground/agent.run', 360],
  ])('the response of %s at %d px is in sight once it is there', async (path, width) => {
    const { page, text, steps } = await visit({ path, width })
    await steps.runInPlayground()
    await expect.poll(() => inSight(page.getByText(new RegExp(`^${text.playground.cost}: `)))).toBe(true)
  })

  test('the key, the draft and the response survive a visit to another page, but not signing out', async () => {
    const { page, text, steps, apiKey, faults } = await visit({ person: await site.withHistory() })
    const key = page.getByLabel(text.playground.key, { exact: true })
    await page.getByLabel('prompt', { exact: true }).fill('Kept across pages')
    await steps.runInPlayground()
    await steps.goTo('usage')
    await steps.goTo('playground')
    await expect.poll(() => key.inputValue()).toBe(apiKey)
    await expect.poll(() => page.getByLabel('prompt', { exact: true }).inputValue()).toBe('Kept across pages')
    await page.getByText(new RegExp(`^${text.playground.cost}: `)).waitFor()
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(apiKey.slice(0, 12))
    await steps.goTo('account')
    await steps.signOut()
    await page.getByText(text.auth.signIn.signedOut).waitFor()
    await steps.arrive('/console')
    await steps.goTo('playground')
    await expect.poll(() => key.inputValue()).toBe('')
    expect(faults).toEqual([])
  })

  test('a chat can be streamed, for the same price, and leads to its charge', async () => {
    const { page, text, faults } = await visit()
    await page.getByLabel('prompt', { exact: true }).fill('Streamed in parts')
    await tick(page.getByLabel(text.playground.stream))
    await page.getByText('/v1/chat/completions').first().waitFor()
    await page.locator('button[type=submit]').click()
    await page.getByText(`${text.playground.cost}: 3`).waitFor()
    await page.getByText('Streamed in parts').nth(1).waitFor()
    await page.getByRole('link', { name: text.playground.seeCharge }).click()
    await page.waitForURL('**/usage/chg_*')
    await page.goBack()
    await untick(page.getByLabel(text.playground.stream))
    expect(faults).toEqual([])
  })

  test.each([
    ['got lost', loseResponse],
    ['is a 500', failResponse],
  ])('a call whose response %s keeps its Idempotency-Key on another page too, and is charged once', async (_, fail) => {
    const { page, text, steps, context, origin } = await visit()
    const calls = async () => (await (await context.request.get(`${origin}/v1/console/usage`)).json()).items.length
    const before = await calls()
    await page.route('**/v1/models/chat', fail, { times: 1 })
    await page.locator('button[type=submit]').click()
    await page.getByText(text.playground.lostTitle).waitFor()
    await steps.goTo('usage')
    await steps.goTo('playground')
    await steps.button(text.playground.sendAgain).click()
    await page.getByText(text.playground.costReplayed).waitFor()
    await expect.poll(calls).toBe(before + 1)
  })

  test('model and provider are chosen from what this installation has', async () => {
    const { page } = await visit()
    const model = page.getByLabel(/^model /)
    const models = () => model.locator('option').allTextContents()
    await expect.poll(models).toEqual(['Default', 'local-small', 'local-large'])
    await model.selectOption('local-large')
    await page.getByLabel(/^provider /).selectOption('model_provider_b')
    await expect.poll(models).toEqual(['Default', 'quiet'])
    await expect.poll(() => model.inputValue()).toBe('')
    await page.getByText('Defaults to model_provider_a.').waitFor()
  })

  test('the example is in the language of the user until it is changed', async () => {
    const { page, text } = await visit()
    const prompt = page.getByLabel('prompt', { exact: true })
    await expect.poll(() => prompt.inputValue()).toBe(text.playground.samples.prompt.a)
    await page.getByText('中文', { exact: true }).click()
    await expect.poll(() => prompt.inputValue()).toBe(texts['zh-CN'].playground.samples.prompt.a)
    await page.getByRole('button', { name: texts['zh-CN'].playground.samples.prompt.c }).click()
    await page.getByText('English', { exact: true }).click()
    await page.getByRole('heading', { name: text.playground.title, level: 1 }).waitFor()
    await expect.poll(() => prompt.inputValue()).toBe(texts['zh-CN'].playground.samples.prompt.c)
  })

  test('the call is shown as curl, JavaScript and Python, with what was typed', async () => {
    const { page } = await visit()
    await page.getByLabel('prompt', { exact: true }).fill(`it's "quoted"`)
    const shown = { curl: `it'\\''s \\"quoted\\"`, JavaScript: `"it's \\"quoted\\""`, Python: `"it's \\"quoted\\""` }
    for (const [language, text] of Object.entries(shown)) {
      await page.getByText(language, { exact: true }).first().click()
      await page.locator('pre').filter({ hasText: text }).waitFor()
    }
  })

  test('a caller without credits adds some, and returns to the call', async () => {
    const { page, text, open, steps, context, origin } = await site.signedIn()
    const write = sessionWriter(context, origin)
    const { apiKey } = await write('/v1/keys', { scopes: ['models:invoke'] }, { 'idempotency-key': 'a key' })
    await open('/console/playground/model.chat')
    await page.getByLabel(text.playground.key, { exact: true }).fill(apiKey)
    await page.locator('button[type=submit]').click()
    await page.getByRole('main').getByRole('link', { name: text.recharge.title }).click()
    await steps.recharge('10')
    await page.getByRole('link', { name: text.recharge.goBack }).click()
    await page.waitForURL('**/playground/model.chat')
    await steps.runInPlayground()
  })

  test.each(looks('wide'))(
    'a caller with a key at its budget is not asked to add credits, in $language at $width px',
    async (look) => {
      const visit = await site.withHistory([], look)
      const { page, text, open, faults, context, origin } = visit
      const write = sessionWriter(context, origin)
      const body = { name: 'Shop bot', scopes: ['models:invoke'], budget: { credits: 3, per: 'day' } }
      const { apiKey } = await write('/v1/console/keys', body, { 'idempotency-key': 'a key' })
      await open('/console/playground')
      await page.getByLabel(text.playground.key, { exact: true }).fill(apiKey)
      await visit.steps.runInPlayground()
      await page.getByText(text.playground.costCharged.replace('{{credits}}', ''), { exact: false }).first().waitFor()
      await page.locator('button[type=submit]').click()
      await page.getByText(text.trouble.budgetReached).waitFor()
      await expect.poll(() => page.getByText(text.errors.INSUFFICIENT_PAID_CREDITS).count()).toBe(0)
      await page.getByRole('link', { name: text.trouble.raiseBudget }).click()
      await page.getByRole('dialog').getByLabel(text.keys.budget).fill('100')
      await page.getByRole('button', { name: text.keys.save }).click()
      await page.waitForURL('**/playground')
      await page.getByText(text.trouble.budgetReached).waitFor()
      await page.locator('button[type=submit]').click()
      await page.getByText(text.trouble.budgetReached).waitFor({ state: 'detached' })
      await page.getByRole('link', { name: text.playground.seeCharge }).waitFor()
      expect(faults).toEqual([])
    },
  )
})
