import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutboxSms } from '../../src/providers/sms/sms.ts'
import { type Gateway, startGateway } from '../../testkit/gateway/gateway.ts'
import { runCommand, spawnCommand } from '../../testkit/gateway/run-command.ts'
import { behaves, startUpstream, type Upstream } from '../../testkit/providers/upstream.ts'
import { httpEngines, openDatabase, type Store } from '../../testkit/store/engines.ts'
import { addCredits, type Customer, createCustomer, createRig, type Rig } from '../../testkit/store/rig.ts'

/** The real command line on the store of a running gateway. */
describe.each(httpEngines)('the command line while a gateway runs on %s', (engine) => {
  let gateway: Gateway
  let upstream: Upstream
  let otherStore: Store
  let rig: Rig
  let customer: Customer

  beforeAll(async () => {
    upstream = await startUpstream(behaves.reset())
    const provider = { adapter: 'openai', baseUrl: `${upstream.url}/v1`, models: { fast: 'upstream-name' } }
    gateway = await startGateway({ engine, file: { models: { providers: { model_provider_a: provider } } } })
    otherStore = await openDatabase(gateway.database, { exclusive: false })
    rig = createRig(otherStore)
    customer = await createCustomer(rig)
    await addCredits(rig, customer.projectId, 100)
  })
  afterAll(async () => {
    await otherStore.close()
    await gateway.stop()
    await upstream.close()
  })

  // On SQLite one command that writes and one that fails run as processes of their own; the others in this one, on the same store.
  const spawned = (...argv: string[]) => execute(engine === 'sqlite' ? spawnCommand : runCommand, argv)
  const run = (...argv: string[]) => execute(runCommand, argv)
  const execute = (command: typeof runCommand, argv: string[]) =>
    command(gateway.database, argv, {
      environment: {
        GATEWAY_LISTEN: `127.0.0.1:${gateway.app.public.port}`,
        GATEWAY_OPERATOR_LISTEN: `127.0.0.1:${gateway.app.operator!.port}`,
        GATEWAY_SECRET: 'the secret of the tests, 32 bytes or more',
      },
    })
  const chat = (idempotencyKey: string) =>
    gateway.call(customer.apiKey, '/v1/models/chat', idempotencyKey, { prompt: 'hello' })
  const credits = () => rig.stores.creditsOf(customer.projectId)

  test('an uncertain call is held, listed, settled by an operator, and replayed as settled', async () => {
    const held = await chat('to settle')
    expect(held).toMatchObject({ status: 202, body: { status: 'manual_review' } })
    expect(await credits()).toEqual({ available: 97, reserved: 3 })
    const { chargeId } = held.body
    expect(JSON.parse((await run('reviews', 'list', '--json')).stdout).reviews).toMatchObject([
      { chargeId, credits: 3 },
    ])

    const settled = await spawned('reviews', 'settle', chargeId, '--reason', 'the provider has it')
    expect(settled).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await credits()).toEqual({ available: 97, reserved: 0 })
    const replayed = await chat('to settle')
    expect(replayed).toMatchObject({ status: 202, body: { ...held.body, resolution: 'settled' } })
    expect(replayed.headers['idempotent-replayed']).toBe('true')
    expect(upstream.calls).toHaveLength(1)
  })

  test('an uncertain call is released, and replayed as a failure', async () => {
    const { chargeId } = (await chat('to release')).body
    const released = await run('reviews', 'release', chargeId, '--reason', 'the provider never saw it', '--json')
    expect(JSON.parse(released.stdout)).toMatchObject({ chargeId, state: 'released' })
    expect(await credits()).toEqual({ available: 97, reserved: 0 })
    expect(await chat('to release')).toMatchObject({ status: 502, body: { error: { code: 'ADAPTER_FAILURE' } } })
    const again = await run('reviews', 'settle', chargeId, '--reason', 'changed my mind')
    expect(again).toMatchObject({ exitCode: 1, stdout: '' })
    expect(again.stderr).toMatch(/^chg_\w+ is already released, decided by [^\n]+\n$/)
  })

  test('the statement, reconcile and the doctor agree with what happened', async () => {
    const statement = await run('statement', customer.projectId, '--csv')
    expect(statement.exitCode).toBe(0)
    expect(statement.stdout.split('\r\n').map((line) => line.split(',')[2])).toEqual([
      'kind',
      'credit',
      'reserve',
      'review',
      'settle',
      'reserve',
      'review',
      'release',
      undefined,
    ])
    const reconciled = await run('reconcile')
    expect(reconciled).toEqual({
      exitCode: 0,
      stdout: 'The books balance: 1 projects, 2 charges, 1 orders, 7 entries.\n',
      stderr: '',
    })
    const doctor = JSON.parse((await run('doctor', '--json')).stdout)
    const listeners = doctor.findings.filter(({ check }: { check: string }) => check.endsWith('listener'))
    expect(listeners.map(({ level }: { level: string }) => level)).toEqual(['ok', 'ok'])
  })

  test('the newest code of the local outbox is printed alone', async () => {
    const sentAt = new Date().toISOString()
    const message = {
      kind: 'registration',
      phone: '13800138000',
      code: '123456',
      challengeId: 'gvc_1',
      sentAt,
    } as const
    await createOutboxSms(gateway.database.dataDir).send(message)
    expect(await run('sms', '--code')).toEqual({ exitCode: 0, stdout: '123456\n', stderr: '' })
  })

  test('a backup is made, or the program that makes one is named', async () => {
    const file = join(gateway.database.dataDir, 'backup.sqlite')
    expect(await run('backup', file)).toMatchObject({ exitCode: engine === 'sqlite' ? 0 : 2 })
  })

  test('wrong books give exit code 1 and a table of the differences', async () => {
    const { projectId } = customer
    await otherStore.write((tx) =>
      tx.run('UPDATE balances SET available = available + 1, settled = settled - 1 WHERE project_id = $1', [projectId]),
    )
    const ran = await spawned('reconcile')
    expect(ran).toMatchObject({ exitCode: 1, stderr: '' })
    const [head, first, ...rest] = ran.stdout.trimEnd().split('\n')
    expect(head!.split(/ {2,}/)).toEqual(['rule', 'project', 'at', 'what', 'expected', 'found'])
    expect(first!.split(/ {2,}/)).toEqual(['I1', projectId, 'balance', 'settled against the settled charges', '3', '2'])
    expect(rest.at(-1)).toBe('3 differences, in 1 projects, 2 charges, 1 orders, 7 entries.')
    const report = JSON.parse((await run('reconcile', '--json')).stdout)
    expect(report).toMatchObject({ isSound: false, differenceCount: 3 })
    expect(report.differences).toHaveLength(3)
    await otherStore.write((tx) =>
      tx.run('UPDATE balances SET available = available - 1, settled = settled + 1 WHERE project_id = $1', [projectId]),
    )
  })
})
