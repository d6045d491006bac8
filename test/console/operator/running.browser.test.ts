import { readFileSync } from 'node:fs'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkAxe } from '../../../testkit/browser/check-page.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import type { History } from '../../../testkit/browser/console-history.ts'
import { chosenPassword, type OperatorSteps, operatorRuns } from '../../../testkit/browser/operator-steps.ts'
import { type SiteVisit, setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import { simulatedPayment } from '../../../testkit/browser/simulated-payment.ts'
import { behaves } from '../../../testkit/providers/upstream.ts'
import { openDatabase } from '../../../testkit/store/engines.ts'

describe.runIf(runsBrowser).each(operatorRuns('wide'))(
  'the running of the gateway on $engine',
  ({ engine, acting, reading }) => {
    const site = setUpConsole({ engine })
    let history: History
    let payer: SiteVisit
    let operator: OperatorSteps

    beforeAll(async () => {
      const visited = await site.withHistory([
        { at: Date.now() - 3_600_000, state: 'manual_review', reason: 'PROVIDER_TIMED_OUT' },
        { at: Date.now() - 1_800_000 },
      ])
      ;[history, payer] = [visited.history, visited]
      operator = await site.operator(acting)
      await operator.signInWithLink()
    })
    // What one test leaves open when it fails must not fail the next ones.
    beforeEach(async () => {
      if (await operator.dialog.first().isVisible()) await operator.page.reload()
    })

    test('a provider is taken out of service, which callers see, and put back', async () => {
      const { page, words, goTo, submit, untilStatus } = operator
      const { providers } = words
      await goTo('providers')
      await page.getByRole('button', { name: `${providers.takeOut}: media_provider_a` }).click()
      await submit({ reason: 'an outage' }, providers.takeOut)
      await untilStatus(providers.takenOut.replace('{{name}}', 'media_provider_a'))
      const headers = { authorization: `Bearer ${history.apiKey}`, 'idempotency-key': 'a job' }
      const data = { prompt: 'a lake', seconds: 2 }
      const refused = await payer.context.request.post(`${payer.origin}/v1/media/jobs`, { headers, data })
      expect((await refused.json()).error).toMatchObject({
        code: 'PROVIDER_DISABLED',
        message: expect.stringContaining('out of service'),
      })
      await page.getByRole('button', { name: `${providers.putBack}: media_provider_a` }).click()
      await submit({ reason: 'it is over' }, providers.putBack)
      await untilStatus(providers.backAgain.replace('{{name}}', 'media_provider_a'))
    })

    test('a provider with a dead credential needs attention, and nothing of it is green', async () => {
      const { page, words, goTo } = operator
      site.gateway.silentProvider.program(behaves.respond(401, {}))
      const headers = { authorization: `Bearer ${history.apiKey}`, 'idempotency-key': 'a dead credential' }
      const data = { provider: 'model_provider_b', prompt: 'hello' }
      const failed = await payer.context.request.post(`${payer.origin}/v1/models/chat`, { headers, data })
      expect(failed.status()).toBe(502)
      await goTo('overview')
      const values = { name: 'model_provider_b', failed: '1', calls: '1', minutes: '15' }
      const text = words.overview.providerFails.replace(/{{(\w+)}}/g, (_, name: keyof typeof values) => values[name])
      await page.getByRole('link', { name: text }).waitFor()
      const row = page.getByRole('row').filter({ hasText: 'model_provider_b' })
      await expect.poll(() => row.locator('[data-tone]').count()).toBe(2)
      expect(await row.locator('[data-tone=good]').count()).toBe(0)
      await page.getByRole('link', { name: text }).click()
      await row.getByText(words.providers.states.failing, { exact: true }).waitFor()
      expect(await row.locator('[data-tone=good]').count()).toBe(0)
      await checkAxe(page)
    })

    test('accounts are listed in three orders, and each leads to its account', async () => {
      const { page, words, goTo, heading } = operator
      const { accounts } = words
      await goTo('accounts')
      const rows = page.getByRole('table', { name: accounts.all }).locator('tbody tr')
      await expect.poll(() => rows.count()).toBe(1)
      await page.getByText(accounts.orders.suspended, { exact: true }).click()
      await page.getByText(accounts.empty.suspended).waitFor()
      await page.getByText(accounts.orders.spending, { exact: true }).click()
      await expect.poll(() => new URL(page.url()).searchParams.get('order')).toBe('spending')
      await page.getByText(accounts.orders.newest, { exact: true }).click()
      await rows.getByRole('link').click()
      await heading(new RegExp(history.phone.slice(-4))).waitFor()
    })

    test('a run of reconcile says that the books are sound, or where they are not', async () => {
      const { page, words, button, goTo } = operator
      const { reconcile } = words
      /** Moves a credit without a charge. */
      const tamper = async (credits: number) => {
        const store = await openDatabase(site.gateway.database, { exclusive: false })
        const sql = 'UPDATE balances SET available = available + $2, settled = settled - $2 WHERE project_id = $1'
        await store.write((tx) => tx.run(sql, [history.projectId, credits]))
        await store.close()
      }
      const run = async (state: 'sound' | 'different', clicks = 1) => {
        await goTo('reconcile')
        await button(reconcile.run).click({ clickCount: clicks })
        const result = page.getByRole('row').filter({ has: page.getByRole('cell', { name: reconcile.states[state] }) })
        await result.waitFor()
        await expect.poll(() => page.getByRole('alert').count()).toBe(0)
        await result.getByRole('link').click()
      }
      const asked: Promise<boolean | undefined>[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST') asked.push(request.response().then((response) => response?.ok()))
      })
      // A double click starts one run, and the page does not complain about the other.
      await run('sound', 2)
      expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1)
      await page.getByText(reconcile.soundTitle).waitFor()
      await tamper(1)
      await run('different')
      await page.getByText(reconcile.differentTitle_other.replace('{{amount}}', '3')).waitFor()
      await expect.poll(() => page.getByRole('cell', { name: 'available against the replayed ledger' }).count()).toBe(1)
      await tamper(-1)
    })

    test('a payment is refunded, and its day compared with a bill that misses it', async () => {
      const { page, words, button, goTo, submit, untilStatus } = operator
      const { payments } = words
      const { comparisons } = payments
      const { paymentId, send, until } = await simulatedPayment(payer, 2000)
      await send({ action: 'pay' })
      await until({ state: 'credited' })

      await goTo('payments')
      await button(payments.states.paid).click()
      await page.locator(`a[href="/payments/${paymentId}"]`).click()
      await operator.heading(payments.paymentTitle.replace('{{amount}}', '¥20.00')).waitFor()
      await button(payments.refund).click()
      await submit({ amount: '5.05', reference: 'ticket 9', reason: 'asked for it' }, payments.refund)
      await operator.dialog.locator('[name=amount][aria-invalid]').waitFor()
      await submit({ amount: '5', reference: 'ticket 9', reason: 'asked for it' }, payments.refund)
      await untilStatus(new RegExp(payments.refundDone.refunded.split('{{credits}}')[0]!.trim()))
      await page.getByRole('cell', { name: 'ticket 9' }).waitFor()
      await checkAxe(page)

      const { returned } = payments.refundEnd
      await send({ lie: 'refund_unclear' })
      await button(payments.refund).click()
      await submit({ amount: '3', reference: 'ticket 10', reason: 'asked for it' }, payments.refund)
      await untilStatus(new RegExp(payments.refundDone.review))
      await send({ lie: 'refund_unclear' })
      await button(`${returned.label}: ticket 10`).click()
      await submit({ reason: 'not in the bill' }, returned.label)
      await untilStatus(new RegExp(returned.done.split('{{credits}}')[0]!.trim()))
      await expect.poll(() => button(`${returned.label}: ticket 10`).count()).toBe(0)

      await send({ lie: 'bill_missing' })
      await goTo('comparisons')
      const date = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
      await page.getByLabel(comparisons.date).fill(date)
      await button(comparisons.run).click()
      await page.getByRole('link', { name: date }).click()
      await page.getByRole('cell', { name: comparisons.kinds.not_there }).waitFor()
      await page.getByRole('button', { name: new RegExp(`^${comparisons.settle}: `) }).click()
      await submit({ reason: 'asked there' }, comparisons.settle)
      await untilStatus(comparisons.settledNews)
      await page.getByText('asked there').waitFor()
      await page.getByText(comparisons.outcomes.settled, { exact: true }).first().waitFor()
      await checkAxe(page)
      await send({ lie: 'bill_missing' })
    })

    test('the audit log shows what was done, filters it and exports it', async () => {
      const { page, words, goTo } = operator
      await goTo('audit')
      await page.getByText('it is over').waitFor()
      await page.getByLabel(words.audit.action, { exact: true }).selectOption('provider.take_out')
      const rows = page.locator('#content tbody tr')
      await expect.poll(() => rows.count()).toBe(1)
      await expect.poll(() => rows.first().textContent()).toContain(words.audit.values.out_of_service)
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: operator.text.common.exportCsv }).click()
      const lines = readFileSync(await (await download).path(), 'utf8')
        .trim()
        .split('\r\n')
      expect(lines).toHaveLength(2)
      // The action itself is in the language of the page.
      expect(lines[1]).toContain('media_provider_a,an outage,')
    })

    test('a viewer sees every page in the other language and width, and is offered nothing to change', async () => {
      const { words, button, goTo, submit } = operator
      await goTo('operators')
      await button(words.operators.add).click()
      await submit({ name: 'vera', reason: 'joined the team' }, words.operators.submit)
      const { password } = await operator.passOn('vera')

      const vera = await site.operator(reading)
      await vera.signIn('vera', password)
      await vera.replaceFirstPassword(password)
      await vera.goTo('operators')
      await expect.poll(() => vera.button(vera.words.operators.add).count()).toBe(0)
      await vera.page.goto(`${site.gateway.operatorOrigin}/projects/${history.projectId}`)
      await vera.heading(new RegExp(history.phone.slice(-4))).waitFor()
      for (const label of [vera.words.money.grant, vera.words.accounts.suspend, vera.words.accounts.revoke])
        await expect.poll(() => vera.button(label).count()).toBe(0)
      await vera.go('/me')
      await vera.signOut()
      await vera.signIn('vera', chosenPassword)
      await vera.heading(vera.words.overview.title).waitFor()
      expect([...operator.faults, ...vera.faults]).toEqual([])
    })
  },
)
