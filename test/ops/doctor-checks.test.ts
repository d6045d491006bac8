import { truncate, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { findingsOf } from '../../src/ops/doctor/finding.ts'
import { checkDisk } from '../../src/ops/doctor/machine.ts'
import { checkConfiguration } from '../../src/ops/doctor/settings.ts'
import { checkStore, checkTransparency } from '../../src/ops/doctor/store.ts'
import type { StoreFacts } from '../../src/storage/store-facts.ts'
import { startGateway } from '../../testkit/gateway/gateway.ts'
import { startedAt } from '../features/records/reconcile/good-history.ts'
import { database, examine, later } from './run-doctor.ts'

/** A server that is not a gateway, or an unhealthy one. */
async function listenerOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  later(() => new Promise((resolve) => server.close(resolve)))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('listeners', () => {
  const check = async (environment: Record<string, string>) => examine(await database(), { environment })

  test('a closed port is a warning: the gateway is not running', async () => {
    const { of } = await check({ GATEWAY_OPERATOR_LISTEN: '127.0.0.1:9' })
    expect(of('operator listener')).toEqual(['warning: nothing responds at 127.0.0.1:9'])
    expect(of('public listener')).toEqual(['warning: nothing responds at 127.0.0.1:9'])
  })
  test('a gateway that is not ready is a failure with its reasons', async () => {
    const address = await listenerOf((_, response) => void response.writeHead(503).end('draining\nthe store is gone\n'))
    const { of } = await check({ GATEWAY_OPERATOR_LISTEN: address })
    expect(of('operator listener')).toEqual(['failure: not ready: draining; the store is gone'])
  })
  test('another program at the address is a failure', async () => {
    const address = await listenerOf((_, response) => void response.writeHead(404).end('hello'))
    const { of } = await check({ GATEWAY_OPERATOR_LISTEN: address, GATEWAY_LISTEN: address })
    expect(of('operator listener')).toEqual([`failure: ${address} is another program`])
    expect(of('public listener')).toEqual([`failure: ${address} is another program`])
  })
  test.each([
    ['0', ['ok: is limited by the start command']],
    ['2', ['warning: the gateway was started without the options that limit its memory']],
  ])('a gateway that lacks %s of the flags for its memory', async (missing, expected) => {
    const address = await listenerOf((_, response) => void response.end(`gateway_memory_flags_missing ${missing}\n`))
    expect((await check({ GATEWAY_OPERATOR_LISTEN: address })).of('memory')).toEqual(expected)
  })
  test('a gateway of another origin is a failure', async () => {
    const gateway = await startGateway()
    later(() => gateway.stop())
    const address = `127.0.0.1:${gateway.app.public.port}`
    const { of } = await check({ GATEWAY_ORIGIN: 'http://localhost:9999', GATEWAY_LISTEN: address })
    expect(of('public listener')).toEqual([`failure: the gateway at ${address} serves another origin`])
  })
})

describe('the state of a store', () => {
  const facts: StoreFacts = {
    name: 'Store 1',
    damage: null,
    schema: { version: 2, name: 'last', known: 2, missing: 0 },
    durability: [{ setting: 'fsync', value: 'on', isSafe: true }],
    clockMs: startedAt,
    newestMs: null,
  }
  const outdatedSecrets = async () => ({ outdated: 0, unsealed: 0 })
  const tree = {
    transparencyFault: async () => null,
    keepersNotChecked: async (): Promise<{ host: string }[]> => [],
    oldestOutsideTree: async (): Promise<number | null> => null,
    silentWitnesses: async () => [],
  }
  const judged = async (changes: Partial<StoreFacts>, check = async () => {}) => {
    const findings = await checkStore(
      { ...tree, check, facts: async () => ({ ...facts, ...changes }), outdatedSecrets },
      () => startedAt,
    )
    return findings.filter(({ level }) => level !== 'ok').map(({ level, what }) => `${level}: ${what}`)
  }

  test('a setting that loses commits is a failure', async () => {
    expect(await judged({})).toEqual([])
    expect(await judged({ durability: [{ setting: 'fsync', value: 'off', isSafe: false }] })).toEqual([
      'failure: fsync is off: a power cut can lose what was committed',
    ])
  })
  test('a standby that is missing is reported, with what can be lost', async () => {
    const replication = { isRequired: true, synchronous: 1, standbys: 1, lagBytes: 0 }
    expect(await judged({ replication })).toEqual([])
    expect(await judged({ replication: { ...replication, isRequired: false } })).toEqual([
      "warning: commits wait for no standby (1 connected): losing the database's machine loses its last commits",
    ])
    expect(await judged({ replication: { ...replication, synchronous: 0 } })).toEqual([
      'failure: commits wait for a synchronous standby, and none is connected',
    ])
    expect(await judged({ replication: { ...replication, synchronous: null } })).toEqual([
      'warning: the state of the standbys is not visible',
    ])
  })
  test('a schema of another version that can be served is a warning', async () => {
    expect(await judged({ schema: { version: 1, name: 'x', known: 2, missing: 1 } })).toEqual([
      'warning: is at version 1 (x), which this program can serve; it knows version 2',
    ])
    expect(await judged({ schema: { version: 3, name: 'x', known: 2, missing: 0 } })).toEqual([
      'warning: is at version 3 (x), which this program can serve, although it knows only version 2',
    ])
  })
  test("a clock that differs from the database's is reported, with the difference", async () => {
    expect(await judged({ clockMs: startedAt + 6000 })).toEqual([
      "warning: this machine is 6 s away from the database's clock",
    ])
    expect(await judged({ clockMs: startedAt - 61_000 })).toEqual([
      "failure: this machine is 61 s away from the database's clock",
    ])
  })
  test('an entry that has waited long for the public tree is a failure', async () => {
    const waited = async (ms: number) => {
      const oldestOutsideTree = async () => startedAt - ms
      const [finding] = await checkTransparency({ ...tree, oldestOutsideTree }, () => startedAt)
      return `${finding!.level}: ${finding!.what}`
    }
    expect(await waited(600_000)).toBe('ok: the log continues what was published')
    expect(await waited(660_000)).toBe('failure: the oldest entry that is not in the public tree has waited 11 minutes')
  })
  test('instances that nothing is signed before are named', async () => {
    const keepersNotChecked = async () => [{ host: 'a' }, { host: 'b' }]
    const [finding] = await checkTransparency({ ...tree, keepersNotChecked }, () => startedAt)
    expect([finding!.level, finding!.what]).toEqual(['warning', expect.stringContaining('(a, b)')])
  })
  test('a store that accepts no writes is a failure', async () => {
    const full = () => Promise.reject(new Error('the disk is full'))
    expect(await judged({}, full)).toEqual(['failure: the disk is full'])
  })
})

describe('the disk of an embedded store', () => {
  const mb = 1_000_000
  const withStore = async (bytes: number) => {
    const { dataDir } = await database()
    const storeFile = join(dataDir, 'gateway.sqlite')
    await writeFile(storeFile, '')
    await truncate(storeFile, bytes)
    return { storeFile }
  }
  const judged = async (facts: Parameters<typeof checkDisk>[0], freeBytes: number) =>
    (await checkDisk(facts, async () => freeBytes)).map(({ level, what }) => `${level}: ${what}`)

  test('the disk of an embedded store needs room for a copy of the store and a reserve, and the finding states both', async () => {
    const facts = await withStore(300 * mb)
    expect(await judged(facts, 812 * mb)).toEqual([
      'ok: 812 MB free; 812 MB are needed: 300 MB for the copy that an upgrade makes of the store, 512 MB in reserve',
    ])
    expect(await judged(facts, 812 * mb - 1)).toEqual([
      'warning: only 811 MB free; 812 MB are needed: 300 MB for the copy that an upgrade makes of the store, 512 MB in reserve',
    ])
    // What is not yet in the main file is copied too.
    await writeFile(`${facts.storeFile}-wal`, Buffer.alloc(2 * mb))
    expect(await judged(facts, 812 * mb)).toEqual([
      expect.stringMatching(/^warning: only 812 MB free; 814 MB are needed/),
    ])
  })

  test('the disk of an embedded store is stated before the store exists, and a database server has its own', async () => {
    const { dataDir } = await database()
    expect(await judged({ storeFile: join(dataDir, 'none.sqlite') }, 600 * mb)).toEqual([
      'ok: 600 MB free; 512 MB are needed: 0 MB for the copy that an upgrade makes of the store, 512 MB in reserve',
    ])
    expect(await judged({ storeFile: null }, 0)).toEqual([])
  })

  test('the disk of an embedded store is measured by the command', async () => {
    expect((await examine(await database())).of('disk')).toEqual([
      expect.stringMatching(/\d+ MB free; \d+ MB are needed/),
    ])
  })
})

describe('delivery', () => {
  const publicOrigin = { GATEWAY_ORIGIN: 'https://gateway.example', GATEWAY_SECRET: 'x'.repeat(32) }
  const vendor = { signName: 'Gateway', templates: { registration: '1', recovery: '2', notice: '3' } }
  const file = {
    sms: {
      http: { url: 'http://relay.example/sms', secretEnv: 'RELAY_SECRET' },
      aliyun: { ...vendor, accessKeyIdEnv: 'ALIYUN_ID', accessKeySecretEnv: 'ALIYUN_SECRET' },
    },
    email: { from: 'no-reply@gateway.example' },
  }
  async function check(environment: Record<string, string>) {
    const fresh = await database()
    const configFile = join(fresh.dataDir, 'config.json')
    await writeFile(configFile, JSON.stringify(file))
    const { of, findings } = await examine(fresh, {
      environment: { ...publicOrigin, GATEWAY_CONFIG: configFile, ...environment },
    })
    expect(JSON.stringify(findings)).not.toContain('hunter2')
    return [...of('SMS'), ...of('email')]
  }

  test('a disabled channel on a public origin is a warning', async () => {
    expect(await check({})).toEqual([
      'warning: is disabled: new users cannot register',
      'warning: is disabled: recovery emails cannot be verified',
    ])
  })

  test('missing credentials are a failure', async () => {
    expect(await check({ GATEWAY_SMS: 'aliyun', ALIYUN_ID: 'hunter2', GATEWAY_EMAIL: 'smtp' })).toEqual([
      'failure: ALIYUN_SECRET is not set: the gateway will not start',
      'failure: SMTP_URL is not set: the gateway will not start',
    ])
  })

  test('a wrong SMTP_URL is a failure, and a relay without TLS a warning', async () => {
    const smtp = { GATEWAY_EMAIL: 'smtp', SMTP_URL: 'mail://user:hunter2@host' }
    expect(await check({ GATEWAY_SMS: 'http', RELAY_SECRET: 'hunter2', ...smtp })).toEqual([
      'warning: codes travel to the relay unencrypted',
      'failure: SMTP_URL is not the URL of an SMTP server',
    ])
  })

  test('complete delivery settings are in order', async () => {
    const environment = {
      GATEWAY_SMS: 'aliyun',
      ALIYUN_ID: 'hunter2',
      ALIYUN_SECRET: 'hunter2',
      GATEWAY_EMAIL: 'smtp',
      SMTP_URL: 'smtps://user:hunter2@mail.example',
    }
    expect(await check(environment)).toEqual(['ok: uses the adapter aliyun', 'ok: uses the adapter smtp'])
  })
})

describe('the connection to PostgreSQL', () => {
  const findings = (databaseUrl: string) =>
    checkConfiguration(loadConfig({ DATABASE_URL: databaseUrl })).map(({ level, what }) => `${level}: ${what}`)
  const plain = (hosts: string) => `warning: the gateway talks to the database at ${hosts} unencrypted`

  test.each([
    ['postgres://u:secret@db-a:5432,db-b:5432/gateway?target_session_attrs=read-write', plain('db-a:5432, db-b:5432')],
    ['postgres://u:secret@localhost:5432,10.0.0.2:5432/gateway', plain('10.0.0.2:5432')],
    ['postgres://db-a/gateway?sslmode=disable', plain('db-a')],
    [
      'postgres://u:secret@db-a/gateway?sslmode=no-verify',
      'warning: the gateway talks to the database at db-a without verifying its identity',
    ],
  ])('%s is a warning, without the password', (url, warning) => {
    expect(findings(url)).toEqual([warning])
  })

  test.each([
    'postgres://u:secret@db-a,db-b/gateway?sslmode=verify-full',
    'postgres://u:secret@127.0.0.1:5432/gateway',
    'postgres://u:secret@[::1]:5432/gateway',
    'postgres:///gateway?host=/var/run/postgresql',
    'sqlite:',
  ])('%s is no warning', (url) => {
    expect(findings(url)).toEqual([expect.stringMatching(/^ok: /)])
  })
})

test('a finding that quotes an error has no full stop, because its remedy follows one', () => {
  const { what, zh } = findingsOf('store').failure('It is closed.', 'Open it.', ['已关闭。', '请打开。'])
  expect([what, zh.what]).toEqual(['It is closed', '已关闭'])
})
