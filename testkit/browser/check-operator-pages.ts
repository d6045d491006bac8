import { beforeAll, expect, test, vi } from 'vitest'
import type { History } from './console-history.ts'
import { sessionWriter } from './console-steps.ts'
import type { OperatorSteps } from './operator-steps.ts'
import { type ConsoleSite, type SiteVisit, setUpConsole } from './set-up-console.ts'

export interface OperatorPages {
  readonly site: ConsoleSite
  /** In English, wide and light. */
  readonly operator: OperatorSteps
  readonly history: History
}

/** Tests that each of these pages has no accessibility violations, in English and light, in Chinese and dark, and fits every width. */
export function checkOperatorPages(paths: readonly string[]): () => OperatorPages {
  const site = setUpConsole({ approvalAboveCredits: 1000 })
  let payer: SiteVisit & { readonly history: History }
  let operator: OperatorSteps
  let chinese: OperatorSteps
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    payer = await site.withHistory([
      { at: Date.now() - 3_600_000, state: 'manual_review', reason: 'PROVIDER_TIMED_OUT' },
      { at: Date.now() - 1_800_000 },
    ])
    ids[':projectId'] = payer.history.projectId
    ids[':chargeId'] = payer.history.chargeIds[0]!
    ids[':accountId'] = (await (await payer.context.request.get(`${payer.origin}/v1/me`)).json()).account.accountId
    ids[':paymentId'] = await pay(payer)
    operator = await site.operator()
    chinese = await site.operator({ language: 'zh-CN', width: 360, colorScheme: 'dark' })
    for (const one of [operator, chinese]) await one.signInWithLink()
    if (paths.includes('/reconcile/:runId')) ids[':runId'] = await reconcile(operator)
    if (paths.includes('/comparisons/:comparison')) ids[':comparison'] = await compare(operator)
  })

  test.each(paths)('%s', async (path) => {
    const parameter = /:\w+/.exec(path)?.[0]
    if (parameter) expect(ids).toHaveProperty([parameter])
    for (const visit of [operator, chinese]) {
      const { page, go, isSound, faults } = visit
      await go(parameter ? path.replace(parameter, ids[parameter]!) : path)
      // All tables at once: axe cannot tell the colours of a line that the edge of the window cuts.
      await page.setViewportSize({ width: page.viewportSize()!.width, height: 2000 })
      await isSound()
      expect(faults).toEqual([])
    }
  })

  return () => ({ site, operator, history: payer.history })
}

/** A payment of today that the provider's bill misses. */
async function pay({ context, origin }: SiteVisit): Promise<string> {
  const write = sessionWriter(context, origin)
  const order = { amountFen: 2000, method: 'simulated' }
  const { paymentId, qrText } = await write('/v1/console/payments', order, { 'idempotency-key': 'a payment' })
  for (const form of [{ action: 'pay' }, { lie: 'bill_missing' }])
    await context.request.post(qrText!, { form, headers: { origin } })
  const read = () => context.request.get(`${origin}/v1/console/payments/${paymentId}`)
  const isPaid = async () => expect((await (await read()).json()).state).toBe('paid')
  await vi.waitFor(isPaid, { timeout: 30_000 })
  return paymentId!
}

async function reconcile({ page, words, button, goTo }: OperatorSteps): Promise<string> {
  await goTo('reconcile')
  await button(words.reconcile.run).click()
  const done = page.getByRole('row').filter({ has: page.getByRole('cell', { name: words.reconcile.states.sound }) })
  return lastPart((await done.getByRole('link').getAttribute('href'))!)
}

async function compare({ page, words, button, goTo }: OperatorSteps): Promise<string> {
  const { comparisons } = words.payments
  await goTo('comparisons')
  const date = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  await page.getByLabel(comparisons.date).fill(date)
  await button(comparisons.run).click()
  return lastPart((await page.getByRole('link', { name: date }).getAttribute('href'))!)
}

const lastPart = (path: string) => path.split('/').at(-1)!
