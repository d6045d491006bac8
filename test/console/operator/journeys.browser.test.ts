import { readFileSync } from 'node:fs'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditActions } from '../../../src/contract/audit-actions.ts'
import { localAdministrator } from '../../../src/operator-kit/roles.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import type { History } from '../../../testkit/browser/console-history.ts'
import { sessionWriter } from '../../../testkit/browser/console-steps.ts'
import { chosenPassword, type OperatorSteps, operatorRuns } from '../../../testkit/browser/operator-steps.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import { payOther, payTwice } from '../../../testkit/browser/simulated-payment.ts'
import { tick } from '../../../testkit/browser/tick.ts'
import { type AddedOperator, addOperator } from '../../../testkit/gateway/operator-browser.ts'
import { runCommand } from '../../../testkit/gateway/run-command.ts'
import type { SeededCharge } from '../../../testkit/store/seed-charges.ts'

const hourMs = 3_600_000

const charges: SeededCharge[] = Array.from({ length: 8 }, (_, i) => ({
  at: Date.now() - (8 - i) * hourMs,
  ...(i % 2 === 0 ? { state: 'manual_review', reason: 'PROVIDER_TIMED_OUT' } : { state: 'settled' }),
}))

describe.runIf(runsBrowser).each(operatorRuns('narrow'))('operator journeys on $engine', ({ engine, acting }) => {
  const site = setUpConsole({ engine, approvalAboveCredits: 1000 })
  let history: History
  let operator: OperatorSteps
  let mei: AddedOperator
  let kim: AddedOperator

  beforeAll(async () => {
    const owner = await site.withHistory(charges)
    history = owner.history
    const write = sessionWriter(owner.context, owner.origin)
    await write(`/v1/console/keys/${history.keyId}/update`, { name: 'Checkout service' })
    // Before any request: an operator who is added later may not approve it.
    mei = await addOperator(site.gateway, 'mei', 'treasurer')
    kim = await addOperator(site.gateway, 'kim', 'admin')
    operator = await site.operator(acting)
    await operator.signInWithLink()
  })
  // What one test leaves open when it fails must not fail the next ones.
  beforeEach(async () => {
    if (await operator.dialog.first().isVisible()) await operator.page.reload()
  })

  async function openAccount({ page, words, goTo, button, heading }: OperatorSteps): Promise<void> {
    await goTo('accounts')
    await page.getByLabel(words.accounts.search).fill(history.phone)
    await button(words.accounts.find).click()
    await page.getByRole('table', { name: words.accounts.found }).getByRole('link').click()
    await heading(new RegExp(history.phone.slice(-4))).waitFor()
  }

  test('the token of the sign-in link is in no address and works once, and gives no password to change', async () => {
    const { page, words, button } = operator
    expect(page.url()).toBe(`${site.gateway.operatorOrigin}/`)
    const used = site.gateway.newSignInLink()
    const other = await site.operator(acting)
    await other.page.goto(used)
    await other.heading(words.overview.title).waitFor()
    await other.context.clearCookies()
    // The sign-in page is open already: the link changes its fragment alone.
    await other.open('/sign-in')
    await other.page.goto(used)
    await other.page.getByText(words.signIn.linkTitle).waitFor()
    expect(other.page.url()).toBe(`${site.gateway.operatorOrigin}/sign-in`)
    await operator.go('/me')
    await page.getByText(words.me.noPassword).waitFor()
    await expect.poll(() => button(words.me.changePassword).count()).toBe(0)
  })

  test('an account is found by phone number or id, and nothing personal is in a URL', async () => {
    const { page, words, goTo, button } = operator
    await goTo('accounts')
    await page.getByLabel(words.accounts.search).fill('unknown')
    await button(words.accounts.find).click()
    await page.getByText(words.accounts.searchWrong).waitFor()
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    for (const typed of [history.projectId, history.keyId, history.apiKey.slice(0, 16), history.email]) {
      await page.getByLabel(words.accounts.search).fill(typed)
      await button(words.accounts.find).click()
      await expect.poll(() => page.getByRole('table', { name: words.accounts.found }).getByRole('link').count()).toBe(1)
    }
    await openAccount(operator)
    const keys = page.getByRole('table', { name: words.accounts.keys })
    await keys.getByText('Checkout service').first().waitFor()
    await keys
      .getByText(/^gk_live/)
      .first()
      .waitFor()
    expect(addresses.filter((url) => url.includes(history.phone) || url.includes(history.email))).toEqual([])
  })

  test('credits are granted once per reference, taken back, and above the limit wait for a second operator', async () => {
    const { words, button, dialog, submit, untilStatus } = operator
    const { money } = words
    const move = async (kind: 'grant' | 'withdraw', credits: string, reference: string) => {
      await button(money[kind]).click()
      await submit({ credits, reference, reason: 'a bank transfer' }, money[kind])
    }
    const isRefused = async () => {
      await dialog.locator('[aria-invalid]').waitFor()
      await button(words.form.cancel).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await openAccount(operator)
    await button(money.grant).click()
    await submit({}, money.grant)
    await dialog.getByText(operator.text.common.required).first().waitFor()
    await button(words.form.cancel).click()
    await dialog.waitFor({ state: 'detached' })
    await move('grant', '500', 'transfer 1')
    await untilStatus(/500/)
    await move('grant', '500', 'transfer 1')
    await untilStatus(money.replayed)
    await move('grant', '400', 'transfer 1')
    await isRefused()
    await move('withdraw', '100', 'transfer 1')
    await untilStatus(/100/)
    await move('withdraw', '999999', 'transfer 2')
    await isRefused()
    await move('grant', '200', 'TRANSFER-1')
    await dialog.getByText(words.errors.REFERENCE_SEEN_BEFORE).waitFor()
    await tick(dialog.getByLabel(money.again))
    await dialog.getByRole('button', { name: money.grant, exact: true }).click()
    await untilStatus(/200/)
    for (const credits of ['5000', '4000', '3000']) {
      await move('grant', credits, `transfer of ${credits}`)
      await untilStatus(money.pending)
    }
    // With it, more than 1,000 would be granted in a day.
    await move('grant', '900', 'a last transfer')
    await untilStatus(money.pending)
  })

  test('a second operator approves and rejects; the author can only withdraw a request', async () => {
    const { page, words, goTo, submit, untilStatus } = operator
    const { approvals } = words
    const decide = ({ page: of }: OperatorSteps, label: string, credits: RegExp) =>
      of.getByRole('button', { name: new RegExp(`^${label}: .*${credits.source}`) })
    await goTo('approvals')
    await expect.poll(() => page.getByText(approvals.own, { exact: true }).count()).toBe(4)
    await expect.poll(() => page.getByRole('button', { name: new RegExp(`^${approvals.approve}:`) }).count()).toBe(0)
    await decide(operator, approvals.takeBack, /3,000/).click()
    await submit({}, approvals.takeBack)
    await untilStatus(approvals.rejected)

    const second = await site.operator(acting)
    await second.signIn('mei', mei.password)
    await second.replaceFirstPassword(mei.password)
    await second.goTo('approvals')
    for (const credits of [/4,000/, /900/]) {
      await decide(second, approvals.reject, credits).click()
      await second.submit({ reason: 'no such transfer' }, approvals.reject)
      await second.untilStatus(approvals.rejected)
    }
    await decide(second, approvals.approve, /5,000/).click()
    await second.submit({}, approvals.approve)
    await second.page.getByText(approvals.nonePending).waitFor()
    await second.goTo('operators')
    await second.page.getByRole('cell', { name: /mei/ }).waitFor()
    await expect.poll(() => second.button(words.operators.add).count()).toBe(0)
    expect(second.faults).toEqual([])
  })

  test('a new treasurer waits for a second administrator', async () => {
    const { page, words, goTo, submit, untilStatus } = operator
    const admin = await site.operator(acting)
    await admin.signIn('kim', kim.password)
    await admin.replaceFirstPassword(kim.password)
    await admin.goTo('operators')
    const add = async (name: string) => {
      await admin.button(words.operators.add).click()
      await admin.dialog.locator('[name=role]').selectOption('treasurer')
      await admin.submit({ name, reason: 'joined the team' }, words.operators.submit)
      await admin.dialog.getByText(words.operators.newPending.replace('{{name}}', name)).waitFor()
      return admin.passOn(name)
    }
    const { password } = await add('lee')
    await add('max')
    await admin.page.getByRole('button', { name: `${words.operators.takeBack}: max` }).click()
    await admin.submit({}, words.operators.takeBack)
    await admin.untilStatus(words.operators.rejected.replace('{{name}}', 'max'))
    await expect.poll(() => admin.page.getByRole('button', { name: `${words.operators.approve}: lee` }).count()).toBe(0)
    const lee = await site.operator(acting)
    await lee.signIn('lee', password)
    await lee.page.getByText(words.errors.AUTHENTICATION_FAILED).waitFor()

    await goTo('operators')
    await page.getByText(words.operators.requestedBy.replace('{{name}}', 'kim')).waitFor()
    await page.getByRole('button', { name: `${words.operators.approve}: lee` }).click()
    await submit({}, words.operators.approve)
    await untilStatus(words.operators.approved.replace('{{name}}', 'lee'))
    await lee.signIn('lee', password)
    await lee.replaceFirstPassword(password)
    expect([...admin.faults, ...lee.faults]).toEqual([])
  })

  test('the customer recovers the password with the link from the operator and the code on the phone', async () => {
    const { words, button, submit, dialog } = operator
    const { accounts } = words
    await openAccount(operator)
    await button(accounts.recover).click()
    await submit({ reason: 'the customer called' }, accounts.recover)
    const link = (await dialog.locator('code').textContent())!
    await button(words.secret.done).click()
    const recoveryCodes = () => site.gateway.smsOutbox().filter(({ kind }) => kind === 'recovery')
    await expect.poll(() => recoveryCodes().length).toBe(1)

    const customer = await site.visit(acting)
    const { page, text, steps } = customer
    const { recover } = text.auth
    const newPassword = 'another horse battery staple'
    await page.goto(link)
    await page.getByText(recover.leadByLink).waitFor()
    expect(page.url()).toBe(`${site.gateway.origin}/console/recover`)
    await expect.poll(() => page.getByLabel(recover.identifier).count()).toBe(0)
    // The tab is dropped while the message is read.
    await page.reload()
    await page.getByLabel(recover.code).fill(site.gateway.codeFor(history.phone))
    await page.getByLabel(recover.password, { exact: true }).fill(newPassword)
    await page.getByRole('button', { name: recover.submit }).click()
    await page.getByRole('link', { name: recover.toSignInWithNew }).click()
    await steps.signIn({ phone: history.phone, password: newPassword })
    await page.getByRole('heading', { name: text.overview.title, level: 1 }).waitFor()
    expect(customer.faults).toEqual([])
  })

  test('an account is signed out, suspended and reinstated, and its key revoked', async () => {
    const { page, words, button, submit, untilStatus, dialog } = operator
    const { accounts } = words
    const saying = (news: string) => news.slice(news.indexOf('}}') + 2).trim()
    await openAccount(operator)
    await button(accounts.signOut).click()
    await submit({ reason: 'the customer asked' }, accounts.signOut)
    await untilStatus(saying(accounts.signedOut))
    await button(accounts.suspend).click()
    await submit({ reason: 'the customer asked' }, accounts.suspend)
    await untilStatus(saying(accounts.suspended))
    await page.getByText('the customer asked').first().waitFor()
    await button(accounts.reinstate).click()
    await submit({ reason: 'it was a mistake' }, accounts.reinstate)
    await untilStatus(saying(accounts.reinstated))
    await page.getByRole('button', { name: accounts.revokeLabel.split('{{prefix}}')[0]!.trim() }).click()
    await expect.poll(() => dialog.getByText('gk_live_').count()).toBeGreaterThan(0)
    await submit({ reason: 'it was published' }, accounts.revoke)
    await page.getByText(operator.text.keyStates.revoked).first().waitFor()
    for (const view of ['charges', 'orders', 'ledger'] as const) {
      await page.getByText(accounts.views[view], { exact: true }).click()
      await page.locator('#content table').last().waitFor()
    }
  })

  test('the self-check and the audit log are in the language of the reader, on the page and in the file', async () => {
    const { page, words, goTo } = operator
    const isChinese = acting.language === 'zh-CN'
    await goTo('settings')
    const findings = page.getByRole('table', { name: words.settings.doctor }).locator('tbody tr')
    await findings.first().waitFor()
    const found = await findings.allTextContents()
    expect(found.length).toBeGreaterThan(8)
    for (const finding of found) expect(/\p{Script=Han}/u.test(finding), finding).toBe(isChinese)
    const warnings = found.filter((finding) => finding.includes(words.settings.levels.warning)).length
    expect(warnings).toBeGreaterThan(1)
    await page.getByText(words.settings.warnings_other.replace('{{count}}', String(warnings))).waitFor()
    await goTo('audit')
    const { audit } = words
    await page.getByLabel(audit.action, { exact: true }).selectOption('operator.sign_in')
    await expect.poll(() => new URL(page.url()).searchParams.get('action')).toBe('operator.sign_in')
    const name = auditActions['operator.sign_in'][isChinese ? 'zh' : 'en']
    const signedIn = page.getByRole('row').filter({ hasText: name })
    await signedIn.filter({ hasText: audit.ownReasons.byLink }).first().waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: operator.text.common.exportCsv }).click()
    const [head, first] = readFileSync(await (await download).path(), 'utf8').split('\r\n')
    const columns = isChinese ? '记录编号,时间（UTC）,操作员,途径,操作,' : 'id,at (UTC),by,via,action,'
    expect(head!.startsWith(`\uFEFF${columns}`)).toBe(true)
    expect(first).toContain(isChinese ? `,${audit.via.web},登录,` : ',web,operator.sign_in,')
  })

  test('what a customer quotes is found by the keyboard, and nothing personal is in a URL', async () => {
    const { page, words, text, heading, dialog } = operator
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    const field = dialog.getByRole('combobox')
    const options = dialog.getByRole('option')
    const search = async (typed: string) => {
      await page.keyboard.press('Control+k')
      await field.fill(typed)
    }
    await search('nothing of that name')
    await dialog.getByText(text.search.none).waitFor()
    await field.fill(words.audit.title)
    await options.filter({ hasText: words.audit.title }).waitFor()
    // The beginning of an id that the seeded calls share; the first is chosen, the second by the arrow.
    await field.fill(history.chargeIds[1]!.slice(0, 6))
    await expect.poll(() => options.count()).toBeGreaterThan(1)
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => options.nth(1).getAttribute('aria-selected')).toBe('true')
    // Enter at once waits for what is found.
    await field.fill(history.chargeIds[1]!)
    await page.keyboard.press('Enter')
    await heading(new RegExp(text.operations['model.chat'])).waitFor()
    expect(page.url()).toContain(`/charges/${history.chargeIds[1]}`)
    await page.getByRole('table').last().waitFor()
    for (const [typed, kind] of [
      [history.phone, 'account'],
      [history.email, 'account'],
      [history.apiKey, 'key'],
    ] as const) {
      await search(typed)
      await options.filter({ hasText: `${words.search.kinds[kind]} ·` }).click()
      await heading(new RegExp(history.phone.slice(-4))).waitFor()
      await page.goBack()
    }
    const personal = [history.phone, history.email, history.apiKey]
    expect(addresses.filter((url) => personal.some((one) => decodeURIComponent(url).includes(one)))).toEqual([])
  })

  test('the filters of lists are in the address: a link opens the same view, and Back undoes them', async () => {
    const { page, words, go } = operator
    const query = () => new URL(page.url()).search
    const orderOf = (name: 'newest' | 'suspended') => page.getByRole('radio', { name: words.accounts.orders[name] })
    await go('/accounts')
    await page.getByText(words.accounts.orders.suspended, { exact: true }).click()
    await expect.poll(query).toBe('?order=suspended')
    await page.goBack()
    await expect.poll(() => orderOf('newest').isChecked()).toBe(true)
    expect(query()).toBe('')
    for (const [path, name] of [
      ['/payments?state=review', words.payments.states.review],
      ['/payments?state=refunds', words.payments.refundsInReview],
      ['/approvals?state=rejected', words.approvals.states.rejected],
      ['/comparisons?shown=open', words.payments.comparisons.shown.open],
    ] as const) {
      await go(path)
      await page.locator('[aria-pressed="true"]').filter({ hasText: name }).waitFor()
    }
    await go('/reviews?provider=model_provider_b')
    await page.getByText(words.reviews.noneOf.replace('{{name}}', 'model_provider_b')).waitFor()
    await page.getByLabel(words.reviews.provider, { exact: true }).selectOption('')
    await expect.poll(query).toBe('')
    await page.goBack()
    await page.getByText(words.reviews.noneOf.replace('{{name}}', 'model_provider_b')).waitFor()
    await go('/audit?by=kim')
    await page.getByLabel(words.audit.action, { exact: true }).selectOption('operator.sign_in')
    await expect.poll(query).toBe('?by=kim&action=operator.sign_in')
    await page.goBack()
    await expect.poll(query).toBe('?by=kim')
  })

  test('reviews are settled and released, and the slower operator learns who decided', async () => {
    const { page, words, button, goTo, submit, untilStatus } = operator
    const { reviews } = words
    await goTo('reviews')
    const boxes = page.getByRole('checkbox')
    await expect.poll(() => boxes.count()).toBe(4)
    // All at once, and back; then two.
    await button(reviews.selectAll).click()
    await expect.poll(() => boxes.nth(3).isChecked()).toBe(true)
    await button(reviews.selectNone).click()
    await page.getByLabel(reviews.provider, { exact: true }).selectOption('model_provider_b')
    await page.getByText(reviews.noneOf.replace('{{name}}', 'model_provider_b')).waitFor()
    await page.getByLabel(reviews.provider, { exact: true }).selectOption('')
    await tick(boxes.nth(0))
    await tick(boxes.nth(1))
    await button(reviews.release).click()
    await submit({ reason: 'the provider has no record' }, reviews.release)
    await untilStatus(/2/)
    // What became of each.
    await expect.poll(() => page.getByRole('listitem').filter({ hasText: reviews.now.released }).count()).toBe(2)
    await expect.poll(() => boxes.count()).toBe(2)
    await tick(boxes.first())
    await button(reviews.settle).click()
    await submit({ reason: 'the provider carried it out' }, reviews.settle)
    await expect.poll(() => boxes.count()).toBe(1)
    await tick(boxes.first())
    await button(reviews.settle).click()
    const left = history.chargeIds[6]!
    const argv = ['reviews', 'release', left, '--reason', 'never arrived', '--by', 'bea']
    expect(await runCommand(site.gateway.database, argv)).toMatchObject({ exitCode: 0, stderr: '' })
    await submit({ reason: 'the provider carried it out' }, reviews.settle)
    const notice = page.getByRole('listitem').filter({ hasText: left })
    const [before, after] = reviews.releasedEarlier.replace('{{by}}', 'bea').split('{{at}}')
    await notice.filter({ hasText: before! }).waitFor()
    await notice.filter({ hasText: after!.replace('{{reason}}', 'never arrived') }).waitFor()
    await page.getByText(reviews.none).waitFor()
    expect(operator.faults).toEqual([])
  })
  test('payments in review and second payments are ended from the overview, a large one by two operators', async () => {
    const { page, words, button, goTo, submit, untilStatus } = operator
    const { overview, payments, approvals } = words
    const { uncredited, comparisons } = payments
    const payer = await site.signedIn(acting)
    const other = await payOther(payer, 2000)
    const twice = await payTwice(payer, 3000)
    const large = await payOther(payer, 20_000)
    await goTo('comparisons')
    await page.getByLabel(comparisons.date).fill(new Date(Date.now() + 8 * hourMs).toISOString().slice(0, 10))
    await button(comparisons.run).click()
    await page.getByRole('status').filter({ hasText: '3' }).waitFor()

    const matter = (text: string) => page.getByRole('link', { name: text.replace('{{amount}}', '3') })
    const end = async (paymentId: string, outcome: 'credit' | 'refund') => {
      await goTo('overview')
      await page.locator('#content a[href="/payments?state=decision"]').click()
      const row = page.getByRole('row').filter({ has: page.locator(`a[href="/payments/${paymentId}"]`) })
      const why = paymentId === twice ? payments.paidTwice : payments.states.review
      await row.getByText(why, { exact: true }).waitFor()
      await row.getByRole('link').first().click()
      await button(uncredited[outcome].label).last().click()
      await submit({ reason: 'checked with the provider' }, uncredited[outcome].label)
    }
    await goTo('overview')
    await matter(overview.openDifferences_other).waitFor()
    await matter(overview.paymentsInReview_other).waitFor()
    await end(other, 'credit')
    await untilStatus(uncredited.credit.done.replace('{{amount}}', '¥21.00'))
    await page.getByText(uncredited.states.credited, { exact: true }).waitFor()
    await end(twice, 'refund')
    await untilStatus(uncredited.refund.done.replace('{{amount}}', '¥30.00'))
    await page.getByText(uncredited.states.refunded, { exact: true }).waitFor()
    await end(large, 'refund')
    await untilStatus(payments.refundApproval)
    await page.getByText(payments.waitsForApproval, { exact: true }).first().waitFor()
    await expect.poll(() => button(uncredited.refund.label).count()).toBe(0)

    const second = await site.operator(acting)
    await second.signIn('mei', chosenPassword)
    await second.heading(overview.title).waitFor()
    await second.page.locator('#content a[href="/approvals"]').click()
    const row = second.page.getByRole('row').filter({ has: second.page.locator(`a[href="/payments/${large}"]`) })
    const transaction = await page.locator('#content table code').first().textContent()
    for (const seen of ['¥201.00', transaction!, approvals.requestedBy.replace('{{name}}', localAdministrator)])
      await row.getByText(seen, { exact: true }).waitFor()
    await row.getByRole('button', { name: new RegExp(`^${approvals.approve}: `) }).click()
    await second.submit({}, approvals.approve)
    await second.page.getByText(approvals.nonePending).waitFor()
    await page.getByText(uncredited.states.refunded, { exact: true }).first().waitFor()
    await goTo('overview')
    await page.getByText(overview.allWell).waitFor()
    expect([...operator.faults, ...second.faults]).toEqual([])
  })
})
