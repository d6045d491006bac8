import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Browser } from '../../testkit/gateway/browser.ts'
import { startGateway } from '../../testkit/gateway/gateway.ts'
import { runCommand } from '../../testkit/gateway/run-command.ts'
import { freshStore, httpEngines, openDatabase } from '../../testkit/store/engines.ts'
import { startedAt, writeGoodHistory } from '../features/records/reconcile/good-history.ts'
import { database, examine, later } from './run-doctor.ts'

describe.each(httpEngines)('doctor on %s', (engine) => {
  test('doctor finds a running gateway healthy, except for the settings of the test server', async () => {
    const gateway = await startGateway({ engine })
    later(() => gateway.stop())
    const { app } = gateway
    const { findings, of } = await examine(gateway.database, {
      environment: {
        GATEWAY_LISTEN: `127.0.0.1:${app.public.port}`,
        GATEWAY_OPERATOR_LISTEN: `127.0.0.1:${app.operator!.port}`,
        GATEWAY_SECRET: 'the secret of the tests, 32 bytes or more',
      },
    })
    expect(of('operator listener')).toEqual([`ok: 127.0.0.1:${app.operator!.port} is ready`])
    expect(of('public listener')).toEqual([`ok: 127.0.0.1:${app.public.port} serves localhost:8787`])
    expect(of('schema')).toEqual([
      expect.stringMatching(/^ok: is at version \d+ \(\S+\), the newest that this program knows$/),
    ])
    expect(of('clock')).toEqual(['ok: agrees with the store'])
    expect(of('store')).toEqual([expect.stringMatching(/^ok: (SQLite|PostgreSQL) \d+.* responds and is writable$/)])
    // The PostgreSQL of the tests may run without fsync and has no standby, the test process has no flags for its memory, and
    // a doctor must say so.
    const ofTheTests = ['durability', 'replication', 'memory']
    expect(findings.filter(({ level, check }) => level !== 'ok' && !ofTheTests.includes(check))).toEqual([])
    expect(of('memory')).toEqual(['warning: the gateway was started without the options that limit its memory'])
    if (engine === 'sqlite') expect(of('durability')).toEqual(['ok: journal_mode is wal, synchronous is full'])
  })

  test('doctor warns of a clock behind the newest charge', async () => {
    const fresh = await freshStore(engine)
    later(() => fresh.remove())
    await writeGoodHistory(fresh.store)
    const { of } = await examine(fresh.database, { clock: () => startedAt })
    expect(of('clock')).toContainEqual('warning: this machine is 16 s behind the newest charge')
    const late = await examine(fresh.database, { clock: () => startedAt - 3_600_000 })
    expect(late.of('clock')).toContainEqual('failure: this machine is 3616 s behind the newest charge')
  })
})

test('the doctor finds no store in an empty PostgreSQL database, and creates none', async () => {
  const fresh = await database('postgres')
  for (let time = 0; time < 2; time += 1) {
    expect((await examine(fresh)).of('store')).toEqual(['warning: there is none yet'])
  }
})

test('the doctor prints a table with a remedy on each line that needs one', async () => {
  const ran = await runCommand(await database(), ['doctor'])
  expect(ran.exitCode).toBe(0)
  const [head, ...lines] = ran.stdout.trimEnd().split('\n')
  expect(head).toMatch(/^level +check +finding$/)
  expect(lines.find((line) => line.includes('store '))).toMatch(
    /^warning +store +there is none yet\. The gateway creates it when it first starts\.$/,
  )
})

test('the doctor reports a broken configuration as a finding', async () => {
  const { findings } = await examine(await database(), { environment: { GATEWAY_SMS: 'pigeon' } })
  expect(findings).toMatchObject([
    { check: 'configuration', level: 'failure', what: expect.stringContaining('GATEWAY_SMS') },
  ])
})

test('the doctor reports every fault of a configuration at once, each with one full stop before its remedy', async () => {
  const { dataDir, ...rest } = await database()
  const file = join(dataDir, 'broken.json')
  const broken = {
    ...{ nothing: 1, server: { drainMs: 'long', bodyLimitBytes: 0, unknown: 1 }, charges: { resultDays: -1 } },
    models: { providers: { model_provider_b: { baseUrl: 'http://127.0.0.1:9' } } },
  }
  await writeFile(file, JSON.stringify(broken))
  const environment = { GATEWAY_CONFIG: file, GATEWAY_SMS: 'pigeon', GATEWAY_TRUSTED_PROXIES: 'a, ::1, b' }
  const { findings } = await examine({ dataDir, ...rest }, { environment })
  const keys = findings.map(({ what }) => what.split(': ')[0])
  expect(keys).toEqual([
    ...['GATEWAY_TRUSTED_PROXIES', 'GATEWAY_TRUSTED_PROXIES', 'GATEWAY_SMS', 'nothing'],
    ...['models.providers.model_provider_b.adapter', 'server.unknown', 'server.bodyLimitBytes', 'server.drainMs'],
    'charges.resultDays',
  ])
  const ran = await runCommand({ dataDir, ...rest }, ['doctor'], { environment })
  expect(ran.stdout).not.toMatch(/\.\s*\. /)
  expect(ran.stdout.match(/Nothing else can be checked/g)).toHaveLength(1)

  const valid = { charges: { resultDays: 90, retentionDays: 80 }, models: { default: 'x' }, media: { default: 'y' } }
  await writeFile(file, JSON.stringify(valid))
  const chosen = { GATEWAY_CONFIG: file, GATEWAY_SMS: 'aliyun', GATEWAY_EMAIL: 'smtp', LOG_LEVEL: 'loud' }
  const later = await examine({ dataDir, ...rest }, { environment: chosen })
  expect(later.findings.map(({ what }) => what.split(': ')[0])).toEqual([
    ...['LOG_LEVEL', 'charges.retentionDays', 'models.default', 'sms.aliyun', 'email.from', 'media.default'],
  ])
})

test('the doctor warns of settings that are unfit for real money', async () => {
  const { of } = await examine(await database(), {
    environment: {
      GATEWAY_ORIGIN: 'http://gateway.example',
      GATEWAY_SECRET: 'the secret of the tests, 32 bytes or more',
      GATEWAY_PAYMENT_MODE: 'local-simulated',
      GATEWAY_OPERATOR_LISTEN: '0.0.0.0:9',
    },
  })
  expect(of('configuration')).toEqual([
    'warning: the origin is public but not https: cookies are sent unencrypted',
    'warning: payment is simulated: anyone can add credits for free',
    'warning: the operator listener on 0.0.0.0 can be reached from other machines',
    'warning: the public pages do not say who runs the service',
  ])
})

test.each([
  ['https://gateway.example', '127.0.0.1:9', undefined, 1],
  ['https://gateway.example', '[::1]:9', undefined, 1],
  ['https://gateway.example', '192.168.3.4:9', undefined, 1],
  ['https://gateway.example', '[fd00::1]:9', undefined, 1],
  ['https://gateway.example', '127.0.0.1:9', '127.0.0.1', 0],
  ['https://gateway.example', '203.0.113.1:9', undefined, 0],
  ['http://gateway.example', '127.0.0.1:9', undefined, 0],
])(
  'the doctor warns of a TLS proxy that is not trusted: %s on %s, trusting %s',
  async (origin, listen, trusted, warnings) => {
    const { of } = await examine(await database(), {
      environment: {
        GATEWAY_ORIGIN: origin,
        GATEWAY_LISTEN: listen,
        GATEWAY_SECRET: 'the secret of the tests, 32 bytes or more',
        ...(trusted && { GATEWAY_TRUSTED_PROXIES: trusted }),
      },
    })
    const found = of('configuration').filter((line) => line.startsWith('warning: no proxy is trusted'))
    expect(found).toHaveLength(warnings)
  },
)

test('the doctor warns when every address is a trusted proxy', async () => {
  const { of } = await examine(await database(), { environment: { GATEWAY_TRUSTED_PROXIES: '127.0.0.1, ::/0' } })
  expect(of('configuration')).toEqual([expect.stringMatching(/^warning: every address is a trusted proxy/)])
})

test('the doctor warns of files that others can read, and says how to protect them', async () => {
  const { dataDir, ...rest } = await database()
  await (await openDatabase({ dataDir, ...rest })).close()
  await writeFile(join(dataDir, 'secret'), 'x'.repeat(43), { mode: 0o600 })
  expect((await examine({ dataDir, ...rest })).of('data directory')).toEqual([`ok: ${dataDir} is private and writable`])
  await chmod(dataDir, 0o755)
  for (const name of ['secret', 'gateway.sqlite']) await chmod(join(dataDir, name), 0o644)
  const { findings } = await examine({ dataDir, ...rest })
  expect(findings.filter(({ check }) => check === 'data directory').map(({ remedy }) => remedy)).toEqual([
    `Run: chmod 700 ${dataDir}`,
    `Run: chmod 600 ${join(dataDir, 'secret')}`,
    `Run: chmod 600 ${join(dataDir, 'gateway.sqlite')}`,
  ])
})

test('the doctor reports a data directory that is a file or missing', async () => {
  const fresh = await database()
  const file = join(fresh.dataDir, 'file')
  await writeFile(file, '')
  const onFile = await examine({ ...fresh, dataDir: file })
  expect(onFile.of('data directory')).toEqual([`failure: ${file} is not a directory`])
  const missing = await examine({ ...fresh, dataDir: join(fresh.dataDir, 'missing') })
  expect(missing.of('data directory')).toEqual([expect.stringMatching(/^warning: .+ does not exist$/)])
})

test('the doctor fails when the store file is not a store', async () => {
  const fresh = await database()
  await writeFile(
    join(fresh.dataDir, 'gateway.sqlite'),
    'this is no database, and it is long enough to tell. '.repeat(99),
  )
  expect((await examine(fresh)).of('store')).toEqual([expect.stringMatching(/^failure: .*not a database/)])
})

test('the doctor names the variables of credentials and never their values', async () => {
  const fresh = await database()
  await mkdir(fresh.dataDir, { recursive: true })
  const file = join(fresh.dataDir, 'config.json')
  const upstream = { adapter: 'openai', baseUrl: 'http://127.0.0.1:9/v1', models: { fast: 'x' } }
  const shop = { baseUrl: 'http://127.0.0.1:9', apiKeyEnv: 'SHOP_A_KEY' }
  await writeFile(
    file,
    JSON.stringify({
      models: {
        providers: {
          model_provider_a: { ...upstream, apiKeyEnv: 'MODEL_A_KEY' },
          model_provider_b: { ...upstream, apiKeyEnv: 'MODEL_B_KEY' },
        },
      },
      shopping: { mode: 'pick-http', providers: { shop_provider_a: shop } },
    }),
  )
  const environment = { GATEWAY_CONFIG: file, MODEL_A_KEY: 'sk-very-secret' }
  const { of, findings } = await examine(fresh, { environment })
  expect(of('credentials')).toEqual([
    'ok: MODEL_A_KEY is set for model_provider_a',
    'warning: MODEL_B_KEY is not set: calls to model_provider_b fail with PROVIDER_AUTH_REQUIRED',
    'warning: SHOP_A_KEY is not set: calls to shop_provider_a fail with PROVIDER_AUTH_REQUIRED',
  ])
  expect(JSON.stringify(findings)).not.toContain('sk-very-secret')
})

test('a missing secret is a failure once the store needs it, because the start refuses it', async () => {
  const fresh = await database()
  const gateway = await startGateway({ database: fresh })
  await new Browser(gateway).register()
  await gateway.stop()
  // The gateway of the test got its secret from the environment; the doctor does not.
  const { of } = await examine(fresh)
  expect(of('secret')).toEqual([expect.stringMatching(/^failure: the secret is missing, and the accounts/)])
})
