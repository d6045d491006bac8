import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runsBrowser, sharedChromium } from '../support/browser/chromium.ts'
import { type ConsoleGateway, startConsoleGateway } from '../support/browser/console-gateway.ts'
import { type History, signUpWithHistory } from '../support/browser/console-history.ts'
import { stepsOf } from '../support/browser/console-steps.ts'
import { type VisitOptions, visitConsole } from '../support/browser/console-visit.ts'
import { chosenPassword, type OperatorSteps, visitOperatorConsole } from '../support/browser/operator-steps.ts'
import type { SeededCharge } from '../support/store/seed-charges.ts'

const hourMs = 3_600_000

const charges: SeededCharge[] = Array.from({ length: 6 }, (_, i) => ({
  at: Date.now() - (6 - i) * hourMs,
  ...(i % 2 === 0 ? { state: 'manual_review', reason: 'PROVIDER_TIMED_OUT' } : { state: 'settled' }),
}))

/** Every action once on each engine, in each language and at each width; the pages also in the other one, and dark. */
const looks = {
  sqlite: {
    acting: { language: 'en-US', width: 1280 },
    reading: { language: 'zh-CN', width: 360, colorScheme: 'dark' },
  },
  postgres: {
    acting: { language: 'zh-CN', width: 360 },
    reading: { language: 'en-US', width: 1280, colorScheme: 'dark' },
  },
} as const satisfies Record<string, Record<string, VisitOptions>>

describe.runIf(runsBrowser).each(['sqlite', 'postgres'] as const)(
  'the operator console on %s',
  { timeout: 120_000 },
  (engine) => {
    let browser: Browser
    let gateway: ConsoleGateway
    let history: History
    let operator: OperatorSteps
    const { acting, reading } = looks[engine]

    beforeAll(async () => {
      ;[gateway, browser] = await Promise.all([
        startConsoleGateway({ engine, approvalAboveCredits: 1000 }),
        sharedChromium(),
      ])
      const payer = await visitConsole(browser, gateway.origin)
      history = await signUpWithHistory(gateway, payer, stepsOf(payer, gateway.codeFor), charges)
      await payer.context.close()
      operator = await visitOperatorConsole(browser, gateway, acting)
      await operator.signInWithLink()
    }, 60_000)
    // What one test leaves open when it fails must not fail the next ones.
    beforeEach(async () => {
      if (await operator.dialog.isVisible()) await operator.page.reload()
    })
    afterAll(async () => {
      await operator?.context.close()
      await gateway?.stop()
    })

    async function openAccount({ page, words, goTo, button, heading }: OperatorSteps): Promise<void> {
      await goTo('accounts')
      await page.getByLabel(words.accounts.search).fill(history.phone)
      await button(words.accounts.find).click()
      await page.getByRole('cell').getByRole('link').click()
      await heading(new RegExp(history.phone.slice(-4))).waitFor()
    }

    test('the token of the sign-in link is in no address and works once', async () => {
      expect(operator.page.url()).toBe(`${gateway.operatorOrigin}/`)
      const used = gateway.newSignInLink()
      const other = await visitOperatorConsole(browser, gateway, acting)
      await other.page.goto(used)
      await other.heading(other.words.overview.title).waitFor()
      await other.context.clearCookies()
      // The sign-in page is open already: the link changes its fragment alone.
      await other.open('/sign-in')
      await other.page.goto(used)
      await other.page.getByText(other.words.signIn.linkTitle).waitFor()
      expect(other.page.url()).toBe(`${gateway.operatorOrigin}/sign-in`)
      await other.isSound()
      await other.context.close()
    })

    test('an account is found by what the customer tells, and nothing personal is in an address', async () => {
      const { page, words, goTo, button, isSound } = operator
      await goTo('accounts')
      await page.getByLabel(words.accounts.search).fill('nobody')
      await button(words.accounts.find).click()
      await page.getByText(words.accounts.searchWrong).waitFor()
      await isSound()
      const addresses: string[] = []
      page.on('request', (request) => addresses.push(request.url()))
      for (const typed of [history.projectId, history.keyId, history.apiKey.slice(0, 16), history.email]) {
        await page.getByLabel(words.accounts.search).fill(typed)
        await button(words.accounts.find).click()
        await expect.poll(() => page.getByRole('cell').getByRole('link').count()).toBe(1)
      }
      await openAccount(operator)
      await isSound()
      expect(addresses.filter((url) => url.includes(history.phone) || url.includes(history.email))).toEqual([])
    })

    test('credits are granted once per reference, taken back, and above the limit wait for a second operator', async () => {
      const { words, button, dialog, submit, told, isSound } = operator
      const { money } = words
      const move = async (kind: 'grant' | 'withdraw', credits: string, reference: string) => {
        await button(money[kind]).click()
        await submit({ credits, reference, reason: 'a bank transfer' }, money[kind])
      }
      await openAccount(operator)
      await button(money.grant).click()
      await submit({}, money.grant)
      await dialog.getByText(operator.text.common.required).first().waitFor()
      await isSound()
      await button(words.form.cancel).click()
      await move('grant', '500', 'transfer 1')
      await told(/500/)
      await move('grant', '500', 'transfer 1')
      await told(money.replayed)
      await move('grant', '400', 'transfer 1')
      await dialog.locator('.mantine-TextInput-error').waitFor()
      await button(words.form.cancel).click()
      await move('withdraw', '100', 'transfer 1')
      await told(/100/)
      await move('withdraw', '999999', 'transfer 2')
      await dialog.locator('.mantine-TextInput-error').waitFor()
      await button(words.form.cancel).click()
      await move('grant', '5000', 'transfer 3')
      await told(money.pending)
    })

    test('an account is signed out, recovered, suspended and reinstated, and its key revoked', async () => {
      const { page, words, button, submit, told, isSound, dialog } = operator
      const { accounts } = words
      await openAccount(operator)
      for (const [label, news] of [
        [accounts.signOut, accounts.signedOut],
        [accounts.recover, accounts.recovered],
        [accounts.suspend, accounts.suspended],
      ] as const) {
        await button(label).click()
        await submit({ reason: 'the customer asked' }, label)
        await told(
          new RegExp(
            news
              .split('{{name}}')
              .map((part) => part.replace(/[.?]/g, '\\$&'))
              .join('.*'),
          ),
        )
      }
      await page.getByText('the customer asked').first().waitFor()
      await isSound()
      await button(accounts.reinstate).click()
      await submit({ reason: 'it was a mistake' }, accounts.reinstate)
      await button(accounts.suspend).waitFor()
      await page.getByRole('button', { name: accounts.revokeLabel.split('{{prefix}}')[0]!.trim() }).click()
      await expect.poll(() => dialog.getByText('gk_live_').count()).toBeGreaterThan(0)
      await submit({ reason: 'it was published' }, accounts.revoke)
      await page.getByText(operator.text.keyStates.revoked).first().waitFor()
      for (const view of ['charges', 'orders', 'ledger'] as const) {
        await page.getByText(accounts.views[view], { exact: true }).click()
        await page.locator('#content table').last().waitFor()
      }
    })

    test('a second operator replaces the first password and approves; nobody approves their own request', async () => {
      const { page, words, button, goTo, submit, dialog, isSound } = operator
      await goTo('operators')
      await button(words.operators.add).click()
      await dialog.locator('[name=role]').selectOption('treasurer')
      await submit({ name: 'mei', reason: 'joined the team' }, words.operators.submit)
      await page.getByRole('heading', { name: words.operators.newTitle.replace('{{name}}', 'mei') }).waitFor()
      const first = (await dialog.locator('code').first().textContent())!
      await isSound()
      await dialog.getByLabel(words.secret.saved).check()
      await button(words.secret.done).click()
      await goTo('approvals')
      await page.getByText(words.money.approvals.own).waitFor()
      await expect
        .poll(() => page.getByRole('button', { name: new RegExp(`^${words.money.approvals.approve}:`) }).count())
        .toBe(0)
      await isSound()

      const second = await visitOperatorConsole(browser, gateway, acting)
      await second.signIn('mei', first)
      await second.isSound()
      await second.replaceFirstPassword(first)
      await second.goTo('approvals')
      await second.page.getByRole('button', { name: new RegExp(`^${words.money.approvals.approve}:`) }).click()
      await second.submit({}, words.money.approvals.approve)
      await second.page.getByText(words.money.approvals.nonePending).waitFor()
      await second.goTo('operators')
      await expect.poll(() => second.button(words.operators.add).count()).toBe(0)
      expect(second.faults).toEqual([])
      await second.context.close()
    })

    test('reviews are settled and released, several at once, with a reason', async () => {
      const { page, words, button, goTo, submit, told, isSound } = operator
      await goTo('reviews')
      const boxes = page.getByRole('checkbox')
      await expect.poll(() => boxes.count()).toBe(3)
      await isSound()
      await boxes.nth(0).check()
      await boxes.nth(1).check()
      await button(words.reviews.release).click()
      await submit({ reason: 'the provider has no record' }, words.reviews.release)
      await told(/2/)
      await expect.poll(() => boxes.count()).toBe(1)
      await boxes.first().check()
      await button(words.reviews.settle).click()
      await submit({ reason: 'the provider carried it out' }, words.reviews.settle)
      await page.getByText(words.reviews.none).waitFor()
    })

    test('a provider is taken out of service and put back, and the books are reconciled', async () => {
      const { page, words, button, goTo, submit, told, isSound } = operator
      const { providers, reconcile } = words
      await goTo('providers')
      await isSound()
      await page.getByRole('button', { name: `${providers.takeOut}: model_provider_a` }).click()
      await submit({ reason: 'an outage' }, providers.takeOut)
      await told(providers.takenOut.replace('{{name}}', 'model_provider_a'))
      await page.getByRole('button', { name: `${providers.putBack}: model_provider_a` }).click()
      await submit({ reason: 'it is over' }, providers.putBack)
      await told(providers.backAgain.replace('{{name}}', 'model_provider_a'))
      await goTo('reconcile')
      await button(reconcile.run).click()
      await page.getByText(reconcile.states.sound, { exact: true }).waitFor()
      await isSound()
      await page.getByRole('cell').getByRole('link').click()
      await page.getByText(reconcile.soundTitle).waitFor()
      await isSound()
    })

    test('the audit log shows what was done, filters it and exports it', async () => {
      const { page, words, goTo, isSound } = operator
      await goTo('audit')
      await page.getByText('it is over').waitFor()
      await isSound()
      await page.getByLabel(words.audit.action, { exact: true }).selectOption('credits.grant')
      await expect.poll(() => page.locator('#content tbody tr').count()).toBe(1)
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: operator.text.common.exportCsv }).click()
      const lines = readFileSync(await (await download).path(), 'utf8')
        .trim()
        .split('\r\n')
      expect(lines).toHaveLength(2)
      expect(lines[1]).toContain('credits.grant')
      expect(operator.faults).toEqual([])
    })

    test('a viewer sees every page in the other language and width, and is offered nothing to change', async () => {
      const { words, button, goTo, submit, dialog } = operator
      await goTo('operators')
      await button(words.operators.add).click()
      await submit({ name: 'vera', reason: 'joined the team' }, words.operators.submit)
      await dialog.getByLabel(words.secret.saved).waitFor()
      const first = (await dialog.locator('code').first().textContent())!
      await dialog.getByLabel(words.secret.saved).check()
      await button(words.secret.done).click()

      const viewer = await visitOperatorConsole(browser, gateway, reading)
      await viewer.signIn('vera', first)
      await viewer.replaceFirstPassword(first)
      for (const name of [
        'overview',
        'reviews',
        'providers',
        'accounts',
        'approvals',
        'audit',
        'reconcile',
        'settings',
        'operators',
      ] as const) {
        await viewer.goTo(name)
        await viewer.isSound()
      }
      await expect.poll(() => viewer.button(viewer.words.operators.add).count()).toBe(0)
      await openAccount(viewer)
      await viewer.isSound()
      for (const label of [viewer.words.money.grant, viewer.words.accounts.suspend, viewer.words.accounts.revoke])
        await expect.poll(() => viewer.button(label).count()).toBe(0)
      await viewer.go('/me')
      await viewer.isSound()
      await viewer.signOut()
      await viewer.isSound()
      await viewer.signIn('vera', chosenPassword)
      await viewer.heading(viewer.words.overview.title).waitFor()
      expect(viewer.faults).toEqual([])
      await viewer.context.close()
    })
  },
)
