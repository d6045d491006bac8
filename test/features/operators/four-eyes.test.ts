import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MovementRequest } from '../../../src/features/billing/credits/credits.ts'
import { reconcile } from '../../../src/features/records/reconcile/reconcile.ts'
import { type Gateway, startGateway, TestClock } from '../../../testkit/gateway/gateway.ts'
import {
  expectInOperatorContract,
  expectOperated,
  OperatorBrowser,
  operatorPassword,
  signedInOperator,
} from '../../../testkit/gateway/operator-browser.ts'
import { runCommand } from '../../../testkit/gateway/run-command.ts'
import { createTestAdministration } from '../../../testkit/store/administration.ts'
import { freshStore, httpEngines, openDatabase } from '../../../testkit/store/engines.ts'
import { type Customer, createCustomer, createRig, type Rig } from '../../../testkit/store/rig.ts'

const reason = 'paid by bank'
const dayMs = 86_400_000

describe.each(httpEngines)('the limit of what one operator moves alone on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let rig: Rig
  let now = 1_700_000_000_000
  const clock = () => now
  beforeAll(async () => {
    fresh = await freshStore(engine)
    rig = createRig(fresh.store, { clock })
  })
  afterAll(() => fresh.remove())

  const operate = () => createTestAdministration(rig, { approvalAboveCredits: 1000, clock })
  let references = 0
  const request = ({ projectId }: Customer, credits: number, more: Partial<MovementRequest> = {}): MovementRequest => {
    references += 1
    return { kind: 'grant', projectId, credits, reference: `bank ${references}`, reason, ...more }
  }
  const as = (name: string) => ({ name, via: 'web' }) as const
  const isPending = (moved: object) => 'approval' in moved
  const customer = () => createCustomer(rig)

  test('50 grants of 1,000 to 50 projects are one grant and 49 requests', async () => {
    const customers = await Promise.all(Array.from({ length: 50 }, customer))
    const moved = []
    for (const one of customers) moved.push(await operate().moveCredits(as('Ada'), request(one, 1000)))
    expect(moved.map(isPending)).toEqual([false, ...Array.from({ length: 49 }, () => true)])
    // Another spelling of the name is the same operator.
    expect(isPending(await operate().moveCredits(as(' ada'), request(customers[0]!, 1)))).toBe(true)
  })

  test('grants of several operators to one project add up towards the limit', async () => {
    const one = await customer()
    expect(isPending(await operate().moveCredits(as('Bea'), request(one, 600)))).toBe(false)
    expect(isPending(await operate().moveCredits(as('Cem'), request(one, 400)))).toBe(false)
    expect(isPending(await operate().moveCredits(as('Dan'), request(one, 1)))).toBe(true)
    // Withdrawals are summed up apart, and do not make room for grants.
    const withdrawal = request(one, 500, { kind: 'withdraw' })
    expect(isPending(await operate().moveCredits(as('Dan'), withdrawal))).toBe(false)
    expect(isPending(await operate().moveCredits(as('Dan'), request(one, 1)))).toBe(true)
  })

  test('the sum covers 24 hours, and what a second operator approved does not count', async () => {
    const [first, second] = [await customer(), await customer()]
    const large = (await operate().moveCredits(as('Eve'), request(first, 5000))) as { approval: { id: string } }
    await operate().approve(as('Fay'), { approvalId: large.approval.id })
    const whole = request(first, 1000)
    expect(isPending(await operate().moveCredits(as('Eve'), whole))).toBe(false)
    expect(await operate().moveCredits(as('Eve'), whole)).toMatchObject({ replayed: true })
    now += dayMs - 1
    expect(isPending(await operate().moveCredits(as('Eve'), request(second, 1)))).toBe(true)
    now += 1
    expect(isPending(await operate().moveCredits(as('Eve'), request(second, 1000)))).toBe(false)
  })

  test('grants that are sent at once, also from another process, do not slip under the limit together', async () => {
    const other = await openDatabase(fresh.database, { exclusive: false })
    const elsewhere = createTestAdministration(createRig(other, { clock }), { approvalAboveCredits: 1000, clock })
    const here = operate()
    const customers = await Promise.all(Array.from({ length: 12 }, customer))
    const moved = await Promise.all(
      customers.map((one, i) => (i % 2 ? here : elsewhere).moveCredits(as('Gil'), request(one, 400))),
    )
    expect(moved.filter((one) => !isPending(one))).toHaveLength(2)
    await other.close()
    expect((await reconcile(fresh.store)).differences).toEqual([])
  })

  describe('a reference that was used before', () => {
    const spelled = (reference: string, more: Partial<MovementRequest> = {}) => ({ reference, ...more })

    test.each([
      ['in another project', 'ICBC 2026-0131', 'ICBC 2026-0131'],
      ['in another spelling', 'CCB 2026-0777', 'ccb20260777'],
      ['in full-width characters', 'BOC#88-1', 'ＢＯＣ＃８８－１'],
    ])('%s is refused with the earlier one, unless it is confirmed', async (_how, first, second) => {
      now += dayMs
      const [one, two] = [await customer(), await customer()]
      await operate().moveCredits(as('Hal'), request(one, 10, spelled(first)))
      await expect(operate().moveCredits(as('Hal'), request(two, 10, spelled(second)))).rejects.toMatchObject({
        code: 'REFERENCE_SEEN_BEFORE',
        message: `The reference ${second} was used before: ${one.projectId}, 10 credits, ${new Date(now).toISOString()}, ${first}.`,
      })
      expect(await rig.stores.creditsOf(two.projectId)).toMatchObject({ available: 0 })
      const confirmed = await operate().moveCredits(as('Hal'), request(two, 10, spelled(second, { again: true })))
      expect(confirmed).toMatchObject({ replayed: false, balance: { available: 10 } })
      // A repeat is still a repeat.
      expect(await operate().moveCredits(as('Hal'), request(one, 10, spelled(first)))).toMatchObject({ replayed: true })
    })

    test('a reference that was used before is also found when either of them waits for an approval', async () => {
      now += dayMs
      const [one, two, three] = [await customer(), await customer(), await customer()]
      const pending = request(one, 2000, spelled('waiting 1'))
      expect(isPending(await operate().moveCredits(as('Ida'), pending))).toBe(true)
      expect(isPending(await operate().moveCredits(as('Ida'), pending))).toBe(true)
      for (const [to, credits] of [
        [two, 10],
        [three, 3000],
      ] as const) {
        await expect(
          operate().moveCredits(as('Ida'), request(to, credits, spelled('WAITING-1'))),
        ).rejects.toMatchObject({ code: 'REFERENCE_SEEN_BEFORE' })
      }
      const again = request(three, 3000, spelled('WAITING-1', { again: true }))
      expect(isPending(await operate().moveCredits(as('Ida'), again))).toBe(true)
    })

    test('a reference that was used before is carried out once when it is sent for two projects at once', async () => {
      now += dayMs
      const customers = await Promise.all([customer(), customer(), customer(), customer()])
      const sent = await Promise.allSettled(
        customers.map((one, i) =>
          operate().moveCredits(as('Joy'), request(one, 10, spelled(`at once ${'-'.repeat(i)}`))),
        ),
      )
      expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })

    test('a reference that was used before is asked about on the command line', async () => {
      now += dayMs
      const [one, two] = [await customer(), await customer()]
      const grant = ({ projectId }: Customer, ...more: string[]) =>
        runCommand(
          fresh.database,
          ['credits', 'grant', projectId, '5', '--reference', 'on the line', '--reason', reason, '--json', ...more],
          { clock },
        )
      expect((await grant(one)).exitCode).toBe(0)
      const refused = await grant(two)
      expect(refused.exitCode).toBe(1)
      expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'REFERENCE_SEEN_BEFORE' } })
      expect((await grant(two, '--again')).exitCode).toBe(0)
    })
  })
})

describe.each(httpEngines)('a second pair of eyes on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway
  let ada: OperatorBrowser
  let bea: OperatorBrowser
  let projectId: string
  beforeAll(async () => {
    gateway = await startGateway({
      engine,
      clock: clock.read,
      file: { operators: { approvalAboveCredits: 1000 }, limits: { loginPerRequester: { max: 1000 } } },
    })
    const store = await openDatabase(gateway.database, { exclusive: false })
    projectId = (await createCustomer(createRig(store, { clock: clock.read }))).projectId
    await store.close()
    ada = await signedInOperator(gateway, 'ada', 'admin', clock.read)
    bea = await signedInOperator(gateway, 'bea', 'admin', clock.read)
  })
  afterAll(() => gateway.stop())

  let references = 0
  const ask = async (browser: OperatorBrowser) => {
    references += 1
    clock.advanceSeconds(1)
    const body = { projectId, credits: 2000, reference: `large ${references}`, reason }
    const asked = await browser.post('/api/credits/grant', body)
    expect(asked.status).toBe(202)
    clock.advanceSeconds(1)
    return `/api/approvals/${asked.body.approval.id}/approve`
  }
  const add = async (browser: OperatorBrowser, name: string, role: string) => {
    clock.advanceSeconds(1)
    const added = await browser.post('/api/operators', { name, role, reason })
    expectInOperatorContract('operator.operators.add', added)
    clock.advanceSeconds(1)
    return added.body as { name: string; password: string; state: string }
  }
  const firstSignIn = async ({ name, password }: { name: string; password: string }) => {
    const browser = new OperatorBrowser(gateway)
    const signedIn = await browser.signIn(name, password)
    if (signedIn.status !== 200) return signedIn
    await browser.post('/api/me/password', { currentPassword: password, newPassword: operatorPassword })
    return browser
  }
  const stateOf = async (name: string) =>
    (await ada.get('/api/operators')).body.items.find((item: { name: string }) => item.name === name)

  test('a puppet who was added after the request or by the operator who made it cannot approve it', async () => {
    const early = await ask(ada)
    const puppet = await add(ada, 'puppet', 'treasurer')
    expect(puppet.state).toBe('pending')
    expect(await stateOf('puppet')).toMatchObject({ state: 'pending', requestedBy: 'ada' })
    expect(await firstSignIn(puppet)).toMatchObject({ status: 401, body: { error: { code: 'AUTHENTICATION_FAILED' } } })

    const own = await ada.post('/api/operators/puppet/approve')
    expect(own).toMatchObject({ status: 403, body: { error: { code: 'APPROVAL_OWN_REQUEST' } } })
    expectInOperatorContract('operator.operators.approve', own)
    const approved = await bea.post('/api/operators/puppet/approve', { reason: 'met in person' })
    expect(approved).toMatchObject({ status: 200, body: { name: 'puppet', state: 'active', requestedBy: null } })
    expectOperated('operator.operators.approve', approved)
    const twice = await bea.post('/api/operators/puppet/approve')
    expect(twice).toMatchObject({ status: 409, body: { error: { code: 'OPERATOR_NOT_PENDING' } } })

    const browser = (await firstSignIn(puppet)) as OperatorBrowser
    for (const path of [early, await ask(ada)]) {
      const refused = await browser.post(path)
      expect(refused).toMatchObject({ status: 403, body: { error: { code: 'APPROVER_NOT_INDEPENDENT' } } })
      expectInOperatorContract('operator.approvals.approve', refused)
    }
    expect((await browser.post(await ask(bea))).status).toBe(200)
    expect((await bea.post(early)).status).toBe(200)
  })

  test('a second pair of eyes who was reset by the requester, or after the request, cannot approve it', async () => {
    const path = await ask(bea)
    const reset = await ada.post('/api/operators/puppet/reset', { reason: 'lost the phone' })
    expect(reset.body.state).toBe('pending')
    expect((await firstSignIn(reset.body)) as object).toMatchObject({ status: 401 })
    expect((await bea.post('/api/operators/puppet/approve')).status).toBe(200)
    const browser = (await firstSignIn(reset.body)) as OperatorBrowser
    expect((await browser.post(path)).body.error.code).toBe('APPROVER_NOT_INDEPENDENT')
    expect((await browser.post(await ask(ada))).body.error.code).toBe('APPROVER_NOT_INDEPENDENT')
    expect((await browser.post(await ask(bea))).status).toBe(200)
  })

  test('a rejected operator is disabled, and one who moves no credits needs no approval', async () => {
    const rejected = await add(ada, 'rejected', 'admin')
    const response = await bea.post('/api/operators/rejected/reject', { reason: 'never heard of' })
    expect(response).toMatchObject({ status: 200, body: { state: 'disabled' } })
    expectOperated('operator.operators.reject', response)
    expect((await firstSignIn(rejected)) as object).toMatchObject({ status: 401 })
    expect((await add(ada, 'helper', 'support')).state).toBe('active')
    const treasurer = await add(ada, 'taken-back', 'treasurer')
    expect(treasurer.state).toBe('pending')
    expect((await ada.post('/api/operators/taken-back/reject')).body.state).toBe('disabled')
  })

  test('the command line needs no approval, and can give one where there is no second administrator', async () => {
    const environment = { GATEWAY_SECRET: 'the secret of the tests, 32 bytes or more' }
    const run = async (...argv: string[]) =>
      JSON.parse((await runCommand(gateway.database, [...argv, '--json'], { environment, clock: clock.read })).stdout)
    expect(await run('operators', 'add', 'rooted', '--role', 'treasurer', '--by', 'ada')).toMatchObject({
      state: 'active',
    })
    clock.advanceSeconds(1)
    const rooted = (await firstSignIn(await run('operators', 'reset', 'rooted'))) as OperatorBrowser
    expect((await rooted.post(await ask(ada))).status).toBe(200)
    await add(ada, 'waiting', 'admin')
    expect(await run('operators', 'approve', 'waiting', '--by', 'ada')).toMatchObject({
      error: { code: 'APPROVAL_OWN_REQUEST' },
    })
    expect(await run('operators', 'approve', 'waiting', '--by', 'root')).toMatchObject({ state: 'active' })

    const local = new OperatorBrowser(gateway)
    await local.post('/api/sign-in', { token: new URL(gateway.app.newSignInLink!()).hash.slice('#token='.length) })
    expect((await add(local, 'first', 'admin')).state).toBe('active')
    const first = (await firstSignIn(
      (
        await local.post('/api/operators/first/reset', { reason })
      ).body,
    )) as OperatorBrowser
    expect((await first.post(await ask(local))).body.error.code).toBe('APPROVER_NOT_INDEPENDENT')
  })

  test('every step is in the audit log, and the books are sound', async () => {
    const store = await openDatabase(gateway.database, { exclusive: false })
    expect((await reconcile(store)).differences).toEqual([])
    await store.close()
    const { items } = (await ada.get('/api/audit?object=puppet&order=oldest')).body
    expect(
      items
        .map(({ action, by }: Record<string, string>) => `${action} ${by}`)
        .filter((one: string) => !one.includes('sign_in')),
    ).toEqual([
      'operator.add ada',
      'operator.approve bea',
      'operator.password puppet',
      'operator.reset ada',
      'operator.approve bea',
      'operator.password puppet',
    ])
  })
})
