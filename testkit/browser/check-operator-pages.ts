import { beforeAll, expect, test } from 'vitest'
import type { History } from './console-history.ts'
import type { OperatorSteps } from './operator-steps.ts'
import { type ConsoleSite, type SiteVisit, setUpConsole } from './set-up-console.ts'
import { payOther, simulatedPayment } from './simulated-payment.ts'

export interface OperatorPages {
  readonly site: ConsoleSite
  /** In English, wide and light. */
  readonly operator: OperatorSteps
  readonly history: History
}

/** Tests that each of these pages has no accessibility violations, in light and dark, and fits every width in both languages. */
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
    operator = await site.operator()
    chinese = await site.operator({ language: 'zh-CN', width: 360, colorScheme: 'dark' })
    for (const one of [operator, chinese]) await one.signInWithLink()
    ids[':paymentId'] = await payThrice(payer, operator)
    // Above the limit: it waits for a second operator.
    await end(operator, await payOther(payer, 20_000), 'credit')
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
      // All but the contrasts is the same in both.
      await isSound(visit === operator ? {} : { only: ['color-contrast'] })
      expect(faults).toEqual([])
    }
  })

  return () => ({ site, operator, history: payer.history })
}

/** An order that was paid three times, and the second one is a refund with an unknown outcome. The bill misses the first. */
async function payThrice(payer: SiteVisit, operator: OperatorSteps): Promise<string> {
  const { paymentId, send, until } = await simulatedPayment(payer, 2000)
  await send({ action: 'pay' })
  await until({ state: 'credited' })
  await send({ action: 'pay' })
  await until({ extraPayments: [{}] })
  await send({ lie: 'refund_unclear' })
  await end(operator, paymentId, 'refund')
  for (const form of [{ lie: 'refund_unclear' }, { lie: 'bill_missing' }, { action: 'pay' }]) await send(form)
  await until({ extraPayments: [{}, {}] })
  return paymentId
}

async function end(
  { words, button, dialog, go, submit }: OperatorSteps,
  paymentId: string,
  outcome: 'credit' | 'refund',
) {
  const { label } = words.payments.uncredited[outcome]
  await go(`/payments/${paymentId}`)
  await button(label).last().click()
  await submit({ reason: 'checked with the provider' }, label)
  await dialog.waitFor({ state: 'detached' })
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
