import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { verifyReceipt, verifyStatement } from '../../../../sdk/src/index.ts'
import { type Gateway, startGateway, TestClock, testSecret } from '../../../../testkit/gateway/gateway.ts'
import { signedInOperator } from '../../../../testkit/gateway/operator-browser.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { runCommand } from '../../../../testkit/gateway/run-command.ts'
import { engines, migratedDatabase, onDisk } from '../../../../testkit/store/engines.ts'

const days = (count: number) => count * 86_400

describe.each(engines)('a gateway with retentionDays on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway
  let customer: PayingCustomer
  let firstCharge: string
  let statement: string

  const chat = (key?: string) => customer.call('model.chat', { prompt: 'hello' }, key)
  const run = (...argv: string[]) =>
    runCommand(gateway.database, argv, {
      clock: clock.read,
      environment: { GATEWAY_SECRET: testSecret, GATEWAY_CONFIG: join(gateway.database.dataDir, 'config.json') },
    })

  /** The charges that the console lists. */
  const usage = async (): Promise<string[]> => {
    const { body } = await customer.browser.get('/v1/console/usage?limit=100')
    return body.items.map(({ chargeId }: { chargeId: string }) => chargeId)
  }

  /** Only what is in the public tree is archived. */
  const allInTree = () =>
    vi.waitFor(
      async () => {
        const [newest] = await usage()
        const { text } = await customer.browser.get(`/v1/console/usage/${newest}/receipt.jws`)
        expect(JSON.parse(Buffer.from(text.split('.')[1]!, 'base64url').toString()).status).toBe('included')
      },
      { timeout: 20_000 },
    )

  beforeAll(async () => {
    // Sessions outlast the test, so that the console can be read at its end.
    const file = { charges: { retentionDays: 35 }, sessions: { lifetimeSeconds: days(365) } }
    // It ends at the time of the database, because archiving compares the clocks.
    clock.now = Date.now() - days(44) * 1000
    gateway = await startGateway({ database: await migratedDatabase(engine, onDisk), file, clock: clock.read })
    customer = await PayingCustomer.join(gateway)
    await chat('the first call')
    firstCharge = (await usage())[0]!
    for (let call = 0; call < 4; call += 1) {
      await chat()
      clock.advanceSeconds(days(1))
    }
    clock.advanceSeconds(days(40))
    for (let call = 0; call < 2; call += 1) await chat()
    await allInTree()
  })
  afterAll(async () => {
    await gateway.stop()
    await gateway.database.remove()
  })

  test("a gateway with retentionDays moves nothing for a command whose clock is 40 days ahead, and replays today's calls", async () => {
    clock.now = Date.now()
    const { available } = await customer.credits()
    const first = await chat('of today')
    clock.advanceSeconds(days(40))
    const refused = await run('archive')
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^nothing was moved: the clock here says .*, that of the database/)
    clock.now = Date.now()
    const again = await chat('of today')
    expect([again.headers['idempotent-replayed'], again.text]).toEqual(['true', first.text])
    expect((await customer.credits()).available).toBe(available - 3)
  })

  test('a gateway with retentionDays says what is due, and moves it while calls go on', async () => {
    clock.now = Date.now()
    statement = (await run('statement', customer.projectId, '--csv')).stdout
    const planned = JSON.parse((await run('archive', '--dry-run', '--json')).stdout)
    // A recharge, and two entries for each of five calls.
    expect(planned).toMatchObject({ projects: 1, charges: 5, entries: 11, heldUp: [] })
    const credits = await customer.credits()
    const [archived, ...calls] = await Promise.all([run('archive', '--json'), chat(), chat(), chat()])
    expect(JSON.parse(archived.stdout)).toEqual(planned)
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await customer.credits()).toEqual({ ...credits, available: credits.available - 9 })
  })

  test('a gateway with retentionDays prints the same statement, and finds its books sound', async () => {
    expect((await run('statement', customer.projectId, '--csv')).stdout.startsWith(statement)).toBe(true)
    const reconciled = await run('reconcile', '--json')
    expect(reconciled.exitCode).toBe(0)
    expect(JSON.parse(reconciled.stdout)).toMatchObject({
      isSound: true,
      archives: { files: 1, missing: [], entries: 11 },
    })
    expect(await run('restore-check')).toMatchObject({ exitCode: 0 })
  })

  test('a gateway with retentionDays signs receipts and statements of archived charges, for the console and for its key', async () => {
    const jwks = (await gateway.send('GET', '/.well-known/jwks.json')).body
    const bearer = { authorization: `Bearer ${customer.apiKey}` }
    const paths = ['usage', 'ledger/1', 'orders'].map((at) => `/v1/console/${at}`)
    const { items } = (await customer.browser.get(`${paths[2]}`)).body
    for (const { status, text } of [
      await customer.browser.get(`${paths[0]}/${firstCharge}/receipt.jws`),
      await gateway.send('GET', `/v1/charges/${firstCharge}/receipt.jws`, bearer),
      await customer.browser.get(`${paths[1]}/receipt.jws`),
      await customer.browser.get(`${paths[2]}/${items[0].orderId}/receipt.jws`),
    ]) {
      expect([status, (await verifyReceipt(text, { jwks })).steps.filter(({ ok }) => !ok)]).toEqual([200, []])
    }
    const month = new Date(Date.now() - days(44) * 1000 + 8 * 3_600_000).toISOString().slice(0, 7)
    const jws = (await customer.browser.get(`/v1/console/statements/${month}.jws`)).text
    const entries = (await customer.browser.get(`/v1/console/statements/${month}.jsonl`)).text
    expect((await verifyStatement(jws, { jwks, entries })).steps.filter(({ ok }) => !ok)).toEqual([])
    expect(entries).toContain(firstCharge)
    const { opening, closing, count } = JSON.parse(Buffer.from(jws.split('.')[1]!, 'base64url').toString())
    const shown = (await customer.browser.get(`/v1/console/statements/${month}`)).body
    expect(shown).toMatchObject({ month, opening, closing, entries: count })
    expect(shown.days.at(-1)).toMatchObject(closing)
    const { apiKey } = await customer.browser.createKey(['models:invoke'])
    const other = { authorization: `Bearer ${apiKey}` }
    expect((await gateway.send('GET', `/v1/charges/${firstCharge}/receipt.jws`, other)).status).toBe(404)
  })

  test('a gateway with retentionDays does not call its books sound while an archive file is missing, unless asked to leave archives out', async () => {
    const archives = join(gateway.database.dataDir, 'archives')
    await rename(archives, `${archives}-away`)
    const missing = await run('reconcile')
    expect(missing.exitCode).toBe(1)
    expect(missing.stdout).toContain('1 of 1 archive files were not found')
    expect(await run('reconcile', '--without-archives')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('1 archive files were not read'),
    })
    expect(await run('find', firstCharge)).toMatchObject({
      ...{ exitCode: 0, stdout: 'Nothing found.\n' },
      stderr: expect.stringMatching(/\.gz of the archives has it, and cannot be read here\./),
    })
    await rename(`${archives}-away`, archives)
    expect((await run('reconcile')).exitCode).toBe(0)
  })

  test('a gateway with retentionDays shows the calls that are left in the console', async () => {
    expect(firstCharge).toMatch(/^chg_/)
    expect(await usage()).toHaveLength(6)
    expect(await usage()).not.toContain(firstCharge)
    expect((await customer.browser.get('/v1/console/ledger?limit=100')).body.items).toHaveLength(12)
  })

  test('a gateway with retentionDays finds an archived charge for its operators, and whose it was', async () => {
    const { projectId } = customer
    const { accountId } = (await customer.browser.get('/v1/me')).body.account
    const item = { kind: 'charge', id: firstCharge, projectId, accountId, path: `/accounts/${accountId}` }
    const items = [{ ...item, label: 'model.chat (archived)' }]
    const viewer = await signedInOperator(gateway, 'viewer', 'viewer', clock.read)
    expect((await viewer.get(`/api/search?q=${firstCharge}`)).body).toEqual({ items })
    expect((await viewer.get(`/api/search?q=${firstCharge.slice(0, -1)}`)).body).toEqual({ items: [] })
    expect(JSON.parse((await run('find', firstCharge, '--json')).stdout)).toEqual({ items })
  })

  test('a gateway with retentionDays refuses an archived Idempotency-Key, whatever the request, and charges nothing for it', async () => {
    const { available } = await customer.credits()
    const repeated = [
      await chat('the first call'),
      await customer.call('model.chat', { prompt: '2' }, 'the first call'),
    ]
    for (const { status, body } of repeated)
      expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'IDEMPOTENCY_CONFLICT' })
    expect((await customer.credits()).available).toBe(available)
  })

  test('a gateway with retentionDays states for how long a key is known', async () => {
    expect((await customer.browser.get('/llms.txt')).text).toContain('does not charge again for 65 days')
  })
})

test('without retentionDays nothing is ever archived, and the command says so', async () => {
  const database = await migratedDatabase('sqlite')
  const refused = await runCommand(database, ['archive'], { environment: { GATEWAY_SECRET: testSecret } })
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(refused.stderr).toContain('charges.retentionDays is not set')
  await database.remove()
})
