import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../../src/operator/reconcile.ts'
import { openPostgres } from '../../src/storage/postgres/postgres-engine.ts'
import { Browser } from '../support/gateway/browser.ts'
import { type Gateway, startGateway } from '../support/gateway/gateway.ts'
import { type Database, freshDatabase, openDatabase, silent } from '../support/store/engines.ts'
import { startPostgresProxy } from '../support/store/postgres-proxy.ts'
import { type PostgresServer, startPostgres } from '../support/store/postgres-server.ts'
import { onServer, promote, startStandby } from '../support/store/postgres-standby.ts'

type Proxy = Awaited<ReturnType<typeof startPostgresProxy>>

describe('a failover to the synchronous standby', () => {
  const servers: PostgresServer[] = []
  const proxies: Proxy[] = []
  let database: Database
  let gateway: Gateway
  let apiKey: string
  const answered: string[] = []
  let calls = 0

  const add = async (server: PostgresServer) => {
    servers.push(server)
    proxies.push(await startPostgresProxy(server.url))
  }

  beforeAll(async () => {
    await add(await startPostgres({ fsync: false, flags: ['-c', 'wal_keep_size=256MB'] }))
    await add(await startStandby(servers[0]!))
    const { username, password, pathname } = new URL(servers[0]!.url)
    const hosts = proxies.map(({ url }) => new URL(url).host).join(',')
    const databaseUrl = `postgres://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`
    database = { ...(await freshDatabase('sqlite')), databaseUrl }
    gateway = await startGateway({ database })
    const payer = new Browser(gateway)
    await payer.register()
    await payer.recharge(100_000)
    apiKey = (await payer.createKey(['models:invoke'])).apiKey
  })
  afterAll(async () => {
    await gateway?.stop()
    for (const proxy of proxies) proxy.close()
    for (const server of servers) await server.remove().catch(() => {})
    await database?.remove()
  })

  /** Repeats a call with its Idempotency-Key until it is answered. */
  async function call(): Promise<void> {
    calls += 1
    const key = `call ${calls}`
    for (;;) {
      const { status } = await gateway.call(apiKey, '/v1/models/chat', key, { prompt: 'hello' })
      if (status === 200) return void answered.push(key)
      expect(status).toBe(500)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async function checkBooks(primary: PostgresServer): Promise<void> {
    const store = await openDatabase({ ...database, databaseUrl: primary.url }, { exclusive: false })
    expect((await reconcile(store)).differences).toEqual([])
    const settled = await store.read((tx) => tx.get("SELECT count(*) AS count FROM charges WHERE state = 'settled'"))
    expect(settled).toEqual({ count: answered.length })
    await store.close()
  }

  test('can be relied on while the gateway sees the standby', async () => {
    const { text } = await gateway.operator('/metrics')
    expect(text).toMatch(/^gateway_store_synchronous_standbys 1$/m)
    expect(text).toMatch(/^gateway_store_standby_lag_bytes \d+$/m)
    const line = gateway.log.map((entry) => JSON.parse(entry)).find(({ msg }) => msg === 'replication of the database')
    expect(line.replication).toMatchObject({ isRequired: true, synchronous: 1, standbys: 1 })
  })

  test('after a silent loss keeps every answered call, charges none twice and needs no restart', async () => {
    let isOver = false
    const traffic = Array.from({ length: 4 }, async () => {
      while (!isOver) await call()
    })
    await expect.poll(() => answered.length, { interval: 20 }).toBeGreaterThan(40)
    proxies[0]!.goSilent()
    await promote(servers[1]!)
    const before = answered.length
    await expect.poll(() => answered.length, { interval: 20 }).toBeGreaterThan(before + 40)
    isOver = true
    await Promise.all(traffic)
    await checkBooks(servers[1]!)
  })

  test('makes a commit uncertain that no longer waits for its standby', async () => {
    const next = await startStandby(servers[1]!)
    servers.push(next)
    const engine = await openPostgres({ url: servers[1]!.url, logger: silent, statementLimitMs: 1000 })
    await engine.check()
    await next.crash()
    const committed = engine.write((tx) => tx.run('CREATE TABLE standby_test (a INT)'))
    await expect(committed).rejects.toMatchObject({ name: 'StoreUnavailable', mayHaveCommitted: true })
    await onServer(servers[1]!, async (client) => {
      await client.query('SET synchronous_commit = local')
      await client.query('DROP TABLE IF EXISTS standby_test')
      await client.query("ALTER SYSTEM SET synchronous_standby_names = ''")
      await client.query('SELECT pg_reload_conf()')
    })
    await engine.close()
    await expect.poll(() => gateway.operator('/readyz').then(({ status }) => status)).toBe(200)
  })
})
