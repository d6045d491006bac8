import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/base/ids.ts'
import { StoreUnavailable } from '../../src/storage/engine.ts'
import { createSharedLease } from '../../src/storage/postgres/lease.ts'
import { openPostgres } from '../../src/storage/postgres/postgres-engine.ts'
import { startGateway } from '../../testkit/gateway/gateway.ts'
import { startTcpProxy } from '../../testkit/http/tcp-proxy.ts'
import { countOn, startDatabasePair, stopWaitingForStandbys } from '../../testkit/store/database-pair.ts'
import { becomesReady, freshDatabase, isFullMatrix } from '../../testkit/store/engines.ts'
import { onServer } from '../../testkit/store/postgres-standby.ts'
import { silent } from '../../testkit/store/silent.ts'
import { payThrough } from '../../testkit/storms/failover/payments.ts'
import { openSite, type Site, type SiteGateway } from '../../testkit/storms/failover/site.ts'
import { startTraffic, type Traffic } from '../../testkit/storms/failover/traffic.ts'
import { createVerifier, createWitness, reconcileSite } from '../../testkit/storms/failover/verify.ts'

/** The short version of `npm run bench:failover`. */
describe('a failover of two gateways to the synchronous standby', () => {
  let site: Site
  let traffic: Traffic
  let verify: ReturnType<typeof createVerifier>
  let witness: ReturnType<typeof createWitness>

  beforeAll(async () => {
    site = await openSite({ database: await startDatabasePair(), gateways: 2, payers: 3 })
    traffic = startTraffic({
      payers: site.payers,
      ports: site.gateways.map(({ port }) => port),
      pauseMs: 60,
      pay: () => payThrough(site),
    })
    verify = createVerifier(site, traffic)
    witness = createWitness(site)
  })
  afterAll(async () => {
    await traffic?.close()
    await site?.close()
  })

  const operator = async (path: string, { operatorPort } = site.gateways[0]!) => {
    const { statusCode, body } = await request(`http://127.0.0.1:${operatorPort}${path}`)
    return { status: statusCode, text: await body.text() }
  }
  const isReady = async (gateway: SiteGateway) => (await operator('/readyz', gateway)).status === 200
  /** Resolves when every gateway has answered some calls after that moment. */
  const untilServed = (since: number) =>
    expect
      .poll(() => site.gateways.every((_, gateway) => traffic.successes.countAfter(since, gateway) > 20), {
        interval: 20,
      })
      .toBe(true)

  test('a failover of two gateways to the synchronous standby can be relied on while the gateways see the standby', async () => {
    const { text } = await operator('/metrics')
    expect(text).toMatch(/^gateway_store_synchronous_standbys 1$/m)
    expect(text).toMatch(/^gateway_store_standby_lag_bytes \d+$/m)
    const { databaseUrl } = await site.database.connect()
    const database = { ...(await freshDatabase('sqlite')), databaseUrl }
    const gateway = await startGateway({ database, environment: { GATEWAY_SECRET: site.secret } })
    const line = gateway.log.map((entry) => JSON.parse(entry)).find(({ msg }) => msg === 'replication of the database')
    expect(line.replication).toMatchObject({ isRequired: true, synchronous: 1, standbys: 1 })
    await gateway.stop()
    await database.remove()
  })

  test('a proxy that leads to the standby after a switchover is not read from', async () => {
    const { databaseUrl } = await site.database.connect()
    const [primary, standby] = [...databaseUrl.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port))
    const proxy = await startTcpProxy(primary!)
    const url = databaseUrl.replace(/@[^/]*/, `@127.0.0.1:${proxy.port}`)
    const engine = await openPostgres({ url, logger: silent })
    const leadTo = (port: number) => {
      proxy.setTargets(port)
      // Open connections are reset.
      proxy.goSilent()
      proxy.comeBack()
    }
    const read = () => engine.read((tx) => tx.get('SELECT pg_is_in_recovery() AS recovers'))
    expect(await read()).toEqual({ recovers: 0 })
    leadTo(standby!)
    await expect(read()).rejects.toMatchObject({ name: 'StoreUnavailable' })
    await expect(read()).rejects.toThrow(/is a standby now/)
    leadTo(primary!)
    await becomesReady(engine)
    await engine.close()
    proxy.close()
  })

  // The next test kills the primary, too.
  test.each(isFullMatrix ? (['cutOff', 'kill'] as const) : (['cutOff'] as const))(
    `a failover after the loss of the primary (%s) keeps every answered call, charges and forwards none twice, and needs no restart`,
    async (lose) => {
      traffic.resume()
      await untilServed(performance.now())
      await expect.poll(() => witness.look()).toBeGreaterThan(1)
      await site.database[lose]()
      await site.database.promote()
      await untilServed(performance.now())
      await traffic.pause()
      const verdict = await verify()
      expect(verdict).toMatchObject({ lost: 0, chargedTwice: 0, forwardedTwice: 0, examples: [] })
      expect(verdict.answered).toBeGreaterThan(80)
      expect(verdict.keyless).toBeGreaterThan(10)
      expect(verdict.payments).toBeGreaterThan(0)
      expect((await reconcileSite(site)).differences).toEqual([])
      await witness.look()
      expect(await witness.contradicted()).toMatchObject({ contradicted: [] })
      await site.database.rebuild()
    },
  )

  test('a failover of two gateways to the synchronous standby is not undone by an old primary that comes back writable while its successor is stalled', async () => {
    traffic.resume()
    await site.database.kill()
    await site.database.promote()
    await untilServed(performance.now())
    const old = await site.database.reviveOldPrimary()
    const countCharges = () => countOn(old, 'SELECT count(*) AS n FROM charges')
    const before = await countCharges()
    await site.database.cutOff()
    await expect.poll(() => Promise.all(site.gateways.map(isReady))).toEqual([false, false])
    const call = { payer: site.payers[0]!, key: 'during the stall', body: JSON.stringify({ prompt: 'hello' }) }
    for (const { port } of site.gateways) expect([500, 503]).toContain((await traffic.post(port, call)).status)
    site.database.reconnect()
    await untilServed(performance.now())
    await traffic.pause()
    expect(await verify()).toMatchObject({ lost: 0, chargedTwice: 0, forwardedTwice: 0, examples: [] })
    expect(await countCharges()).toBe(before)
    await site.database.rebuild()
  })

  test('a failover of two gateways to the synchronous standby makes a commit uncertain that no longer waits for its standby', async () => {
    const primary = site.database.primary()
    const engine = await openPostgres({ url: primary.url, logger: silent, statementLimitMs: 1000 })
    await engine.check()
    await site.database.killStandby()
    // A part of it may live on for a moment and still confirm.
    await expect.poll(() => countOn(primary, 'SELECT count(*) AS n FROM pg_stat_replication')).toBe(0)
    const countWaiting = () =>
      countOn(primary, "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
    const committed = engine.write((tx) => tx.run('CREATE TABLE standby_test (a INT)'))
    await expect(committed).rejects.toMatchObject({ name: 'StoreUnavailable', mayHaveCommitted: true })

    // While the server still has the last renewals, or as many commits as the pool has connections, there are no more.
    const lease = createSharedLease(engine, { instanceId: newId('ins'), leaseMs: 3000 })
    const small = engine.withOwnPool({ connections: 2 })
    const commit = () => small.write((tx) => tx.run("SELECT pg_logical_emit_message(true, 'gateway', 'test')"))
    await Promise.allSettled([lease.renew(), commit(), commit()])
    const leftBehind = await countWaiting()
    for (let time = 0; time < 3; time += 1) {
      await expect(lease.renew()).rejects.toThrow('1 commits still wait')
      await expect(commit()).rejects.toThrow('2 commits still wait')
    }
    expect(await countWaiting()).toBe(leftBehind)
    await expect(small.read((tx) => tx.get('SELECT 1 AS found'))).resolves.toBeDefined()

    // Nor is the store ready: the check that needs room waits too, and only one session of the server waits for it.
    await expect(engine.check()).resolves.toBeUndefined()
    for (let time = 0; time < 2; time += 1) {
      await expect(engine.check({ needsRoom: true })).rejects.toBeInstanceOf(StoreUnavailable)
    }
    expect(await countOn(primary, "SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND granted")).toBe(1)
    await onServer(primary, async (client) => {
      await client.query('SET synchronous_commit = local')
      await client.query('DROP TABLE IF EXISTS standby_test')
    })
    await stopWaitingForStandbys(primary)
    await becomesReady(engine, { needsRoom: true })
    await Promise.all([lease.renew(), commit(), commit()])
    await lease.stop()
    await engine.close()
    await expect.poll(() => operator('/readyz').then(({ status }) => status)).toBe(200)
  })
})
