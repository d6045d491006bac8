import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../../../../../src/features/records/reconcile/reconcile.ts'
import { Browser, newPhone, password } from '../../../../../testkit/gateway/browser.ts'
import { type Gateway, startGateway } from '../../../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../../../testkit/gateway/paying-customer.ts'
import { runCommand, spawnCommand } from '../../../../../testkit/gateway/run-command.ts'
import { behaves, startUpstream, type Upstream } from '../../../../../testkit/providers/upstream.ts'
import { httpEngines, openDatabase } from '../../../../../testkit/store/engines.ts'

const secret = 'the secret of the tests, 32 bytes or more'
const completion = {
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'an answer' } }],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
}

describe.each(httpEngines)('account commands while a gateway runs on %s', (engine) => {
  let gateway: Gateway
  let upstream: Upstream
  let finishCalls: () => void
  let customer: PayingCustomer
  let browser: Browser
  let phone: string
  let accountId: string

  beforeAll(async () => {
    const gate = Promise.withResolvers<void>()
    finishCalls = gate.resolve
    upstream = await startUpstream(
      (wire, call) => void gate.promise.then(() => behaves.respond(200, completion)(wire, call)),
    )
    const provider = { adapter: 'openai', baseUrl: upstream.url, models: { fast: 'fast' } }
    gateway = await startGateway({ engine, file: { models: { providers: { model_provider_b: provider } } } })
    customer = await PayingCustomer.join(gateway, { amountFen: 10_000 })
    browser = customer.browser
    accountId = (await browser.get('/v1/me')).body.account.accountId
    // A second account, so that finding one means something.
    phone = newPhone()
    await new Browser(gateway).register(phone)
  })
  afterAll(async () => {
    await gateway.stop()
    await upstream.close()
  })

  const execute = async (command: typeof runCommand, argv: string[], stdin = '') => {
    const ran = await command(gateway.database, [...argv, '--json'], { environment: { GATEWAY_SECRET: secret }, stdin })
    return { exitCode: ran.exitCode, ...JSON.parse(ran.stdout || '{}') }
  }
  const run = (...argv: string[]) => execute(runCommand, argv)
  /** As another process, so that the gateway has to notice a write that is not its own. */
  const spawned = (...argv: string[]) => execute(engine === 'sqlite' ? spawnCommand : runCommand, argv)
  const call = (request: object = { prompt: 'hello' }) => customer.call('model.chat', request)
  const login = () => new Browser(gateway).post('/v1/auth/login', { identifier: accountPhone, password })
  let accountPhone: string

  test('an account is found by phone, email, ids and key prefix, and shown with masks only', async () => {
    const found = await execute(spawnCommand, ['accounts', 'find', '--phone', '-'], `${phone}\n`)
    expect(found).toEqual({
      exitCode: 0,
      items: [
        {
          accountId: expect.stringMatching(/^acc_/),
          projectId: expect.stringMatching(/^prj_/),
          state: 'active',
          phoneMasked: `${phone.slice(0, 3)}****${phone.slice(-4)}`,
          recoveryEmailMasked: 'l***@example.com',
          createdAt: expect.stringMatching(/Z$/),
        },
      ],
    })
    const byEmail = await execute(runCommand, ['accounts', 'find', '--email', '-'], 'LI@example.com')
    expect(byEmail.items).toHaveLength(2)
    const { projectId, apiKey } = customer
    for (const query of [
      ['--id', accountId],
      ['--id', projectId],
      ['--key', apiKey.slice(0, 12)],
      ['--key', `${apiKey.slice(0, 12)}...${apiKey.slice(-4)}`],
    ]) {
      expect(await run('accounts', 'find', ...query)).toMatchObject({ items: [{ accountId, projectId }] })
    }
    expect(await execute(runCommand, ['accounts', 'find', '--phone', '-'], '13700000000')).toEqual({
      exitCode: 0,
      items: [],
    })
  })

  test('a phone or email in the arguments, or no single question, is a wrong call', async () => {
    for (const wrong of [['--phone', phone], ['--email', 'li@example.com'], [], ['--id', 'a', '--key', 'b']]) {
      expect(await run('accounts', 'find', ...wrong)).toEqual({ exitCode: 2 })
    }
    expect(await run('accounts', 'suspend', accountId)).toEqual({ exitCode: 2 })
  })

  test('a suspended account can neither call nor log in nor use its session; a call under way finishes', async () => {
    const slow = call({ prompt: 'slow', provider: 'model_provider_b' })
    await expect.poll(() => upstream.calls.length).toBe(1)
    expect((await call()).status).toBe(200)
    const suspended = await spawned('accounts', 'suspend', accountId, '--reason', 'abuse', '--by', 'Ada')
    expect(suspended).toMatchObject({ exitCode: 0, accountId, state: 'suspended' })
    expect(await call()).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
    expect(await call({})).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
    expect(await browser.get('/v1/me')).toMatchObject({
      status: 401,
      body: { error: { code: 'GATEWAY_AUTH_REQUIRED' } },
    })
    finishCalls()
    expect(await slow).toMatchObject({ status: 200, body: { data: { output: 'an answer' } } })
    expect(await run('accounts', 'find', '--id', accountId)).toMatchObject({ items: [{ state: 'suspended' }] })
    expect(await run('accounts', 'show', accountId)).toMatchObject({
      suspensionReason: 'abuse',
      balance: { reserved: 0 },
    })
  })

  test('its login fails like a wrong password, and suspending again changes nothing', async () => {
    accountPhone = phone
    const { items } = await execute(runCommand, ['accounts', 'find', '--phone', '-'], phone)
    const other = items[0].accountId
    expect((await login()).status).toBe(200)
    await run('accounts', 'suspend', other, '--reason', 'abuse')
    const refused = await login()
    expect(refused).toMatchObject({ status: 401, body: { error: { code: 'AUTHENTICATION_FAILED' } } })
    const again = await run('accounts', 'suspend', other, '--reason', 'again')
    expect(again).toMatchObject({ exitCode: 0, state: 'suspended' })
    await run('accounts', 'reinstate', other, '--reason', 'a mistake')
    expect((await login()).status).toBe(200)
  })

  test('a reinstated account can call again, and its old sessions stay ended', async () => {
    expect(await spawned('accounts', 'reinstate', accountId, '--reason', 'cleared')).toMatchObject({ state: 'active' })
    expect((await call()).status).toBe(200)
    expect((await browser.get('/v1/me')).status).toBe(401)
  })

  test('sign-out ends sessions and nothing else; a revoked key is refused from the next call on', async () => {
    const { items } = await execute(runCommand, ['accounts', 'find', '--phone', '-'], phone)
    const other = new Browser(gateway)
    await other.post('/v1/auth/login', { identifier: phone, password })
    expect((await other.get('/v1/me')).status).toBe(200)
    await spawned('accounts', 'sign-out', items[0].accountId, '--reason', 'lost laptop')
    expect((await other.get('/v1/me')).status).toBe(401)
    expect((await login()).status).toBe(200)

    const { keys } = await run('accounts', 'show', accountId)
    expect((await call()).status).toBe(200)
    const revoked = await spawned('keys', 'revoke', keys[0].keyId, '--reason', 'leaked')
    expect(revoked).toMatchObject({ exitCode: 0, keyId: keys[0].keyId, state: 'revoked' })
    expect(await call()).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
    expect(await run('keys', 'revoke', keys[0].keyId, '--reason', 'again')).toEqual(revoked)
    expect(await run('keys', 'revoke', 'key_none', '--reason', 'r')).toMatchObject({
      exitCode: 1,
      error: { code: 'KEY_NOT_FOUND' },
    })
  })

  test('credits granted by another process can be spent at once', async () => {
    const { projectId } = customer
    const grant = ['credits', 'grant', projectId, '50', '--reference', 'bank 1', '--reason', 'paid']
    const { balance } = await spawned(...grant)
    expect((await run('accounts', 'show', accountId)).balance).toMatchObject(balance)
  })

  test('every action is recorded once, and the books are sound', async () => {
    expect(await run('accounts', 'suspend', 'acc_nobody', '--reason', 'r')).toMatchObject({
      exitCode: 1,
      error: { code: 'ACCOUNT_NOT_FOUND', message: 'There is no account acc_nobody.' },
    })
    const { items } = await run('audit', 'list')
    expect(items.map(({ action }: { action: string }) => action)).toEqual([
      'account.suspend',
      'account.suspend',
      'account.reinstate',
      'account.reinstate',
      'account.sign_out',
      'key.revoke',
      'credits.grant',
    ])
    expect(items[0]).toMatchObject({
      by: 'Ada',
      object: accountId,
      reason: 'abuse',
      before: { state: 'active' },
      after: { state: 'suspended', sessionsEnded: 1 },
    })
    const otherStore = await openDatabase(gateway.database, { exclusive: false })
    expect((await reconcile(otherStore)).differences).toEqual([])
    await otherStore.close()
  })
})
