import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { newSortableId } from '../../src/base/ids.ts'
import { PipelinedTransaction } from '../../src/storage/postgres/pipelined-transaction.ts'
import { openPostgres, type PostgresEngine } from '../../src/storage/postgres/postgres-engine.ts'
import { identityColumns, type ServerIdentity } from '../../src/storage/postgres/server.ts'
import { becomesReady, type Database, freshDatabase, freshStore, silent } from '../../testkit/store/engines.ts'
import { startPostgresProxy } from '../../testkit/store/postgres-proxy.ts'
import { onServer } from '../../testkit/store/postgres-standby.ts'
import { addCredits, admissionOf, createCustomer, createRig } from '../../testkit/store/rig.ts'

let database: Database
beforeAll(async () => {
  database = await freshDatabase('postgres')
})
afterAll(() => database.remove())

async function openBehindProxy() {
  const proxy = await startPostgresProxy(database.databaseUrl)
  onTestFinished(() => proxy.close())
  // With this limit, only the pool itself can notice within the time of a test that the server is gone.
  const engine = await openPostgres({ url: proxy.url, logger: silent, statementLimitMs: 600_000 })
  onTestFinished(() => engine.close())
  return { proxy, engine }
}

/** Opens several connections, which are idle then. */
const warmUp = (engine: PostgresEngine) => Promise.all(Array.from({ length: 6 }, () => engine.check()))

describe('a server that vanishes without a reset', () => {
  test('a server that vanishes without a reset fails the queries under way and drops every connection to it', async () => {
    const { proxy, engine } = await openBehindProxy()
    await warmUp(engine)
    proxy.goSilent()
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => engine.check()))
    expect(results.map(({ status }) => status)).toEqual(Array(8).fill('rejected'))
    // Its address is taken over by another server: old connections stay dead, new ones work.
    proxy.acceptAgain()
    await becomesReady(engine)
    await warmUp(engine)
  })

  test('a server that vanishes without a reset does so too if new connections to its address work', async () => {
    const { proxy, engine } = await openBehindProxy()
    await warmUp(engine)
    proxy.goSilent()
    proxy.acceptAgain()
    await becomesReady(engine)
    await warmUp(engine)
  })

  test('a server that vanishes without a reset does not hold up the close', async () => {
    const { proxy, engine } = await openBehindProxy()
    await warmUp(engine)
    proxy.goSilent()
    const pending = engine.check().catch((error: Error) => error.name)
    await engine.close()
    expect(await pending).toBe('StoreUnavailable')
  })
})

test('a query that takes long is not mistaken for a lost server', async () => {
  const { engine } = await openBehindProxy()
  expect(await engine.read((tx) => tx.get("SELECT 'done' AS state, pg_sleep(3.5)::text AS slept"))).toMatchObject({
    state: 'done',
  })
})

test.each([
  // The server is asked about the connection twice before it counts as lost.
  { arrives: 'with what the server says about its connection', probes: 2, thenMs: 0 },
  { arrives: 'a moment after it', probes: 1, thenMs: 200 },
])('a response that arrives $arrives is not lost', async ({ probes, thenMs }) => {
  const { proxy, engine } = await openBehindProxy()
  const work = engine.write(async (tx) => {
    await tx.get('SELECT 1 AS one')
    proxy.holdResponsesUntilProbes(probes, thenMs)
    return tx.get('SELECT 2 AS two')
  })
  expect(await work).toEqual({ two: 2 })
})

test('connections that still respond are kept while new ones get no response', async () => {
  const { proxy, engine } = await openBehindProxy()
  const work = engine.write(async (tx) => {
    await tx.get('SELECT 1 AS one')
    proxy.ignoreNew()
    // The server is asked after half a second, and has two to respond.
    await tx.get('SELECT pg_sleep(0.9)::text AS slept')
    await tx.get('SELECT pg_sleep(2)::text AS slept')
    return tx.get('SELECT 2 AS two')
  })
  expect(await work).toEqual({ two: 2 })
})

test.each([
  ['a write', (engine: PostgresEngine) => engine.write((tx) => tx.get('SELECT 1 AS one'))],
  [
    'a pipelined transaction',
    (engine: PostgresEngine) => engine.pipelined((tx) => tx.commit([{ sql: 'SELECT 1 AS one' }])),
  ],
])('%s whose commit no longer waits for the synchronous standby may have committed', async (_name, work) => {
  const { proxy, engine } = await openBehindProxy()
  proxy.warnAtCommit()
  await expect(work(engine)).rejects.toMatchObject({ name: 'StoreUnavailable', mayHaveCommitted: true })
  await work(engine)
})

test('rows remembered from another server are loaded again', async () => {
  const { store, remove } = await freshStore('postgres')
  onTestFinished(remove)
  const rig = createRig(store)
  const customer = await createCustomer(rig)
  await addCredits(rig, customer.projectId, 100)
  const loads = vi.spyOn(PipelinedTransaction.prototype, 'send')
  onTestFinished(() => loads.mockRestore())
  const admit = () =>
    rig.stores.batches.apply([admissionOf(rig, customer, { chargeId: newSortableId('chg', rig.clock()) })])
  await admit()
  loads.mockClear()
  await admit()
  expect(loads).not.toHaveBeenCalled()
  const { server } = store as PostgresEngine
  const { rows } = await onServer({ url: database.databaseUrl }, (client) =>
    client.query<ServerIdentity>(`SELECT ${identityColumns}`),
  )
  for (const address of ['127.0.0.2:5432', '127.0.0.2:5433', null]) {
    loads.mockClear()
    await server.identify({ ...rows[0]!, address })
    await admit()
    expect(loads).toHaveBeenCalledTimes(1)
    await admit()
    expect(loads).toHaveBeenCalledTimes(1)
  }
})

describe('a URL with several hosts', () => {
  const withHosts = (hosts: string, query = '?target_session_attrs=read-write') => {
    const { username, password, pathname } = new URL(database.databaseUrl)
    return `postgres://${username}:${password}@${hosts}${pathname}${query}`
  }

  test('a URL with several hosts is asked once about a host that went silent, before its successor is used', async () => {
    const proxies = await Promise.all([0, 1].map(() => startPostgresProxy(database.databaseUrl)))
    for (const proxy of proxies) onTestFinished(() => proxy.close())
    const [first, second] = proxies as [(typeof proxies)[0], (typeof proxies)[0]]
    second.vanish()
    const hosts = `${new URL(first.url).host},${new URL(second.url).host}`
    const limits = { statementLimitMs: 600_000, surveyMs: 600_000 }
    const engine = await openPostgres({ url: withHosts(hosts), logger: silent, ...limits })
    onTestFinished(() => engine.close())
    await warmUp(engine)
    first.goSilent()
    const before = first.accepted()
    await Promise.allSettled(Array.from({ length: 6 }, () => engine.check()))
    second.comeBack()
    await becomesReady(engine)
    // One question about the connections, one in the search for the writable host.
    expect(first.accepted() - before).toBe(2)
  })

  test('a URL with several hosts leads to the one that accepts writes, and to its successor after a loss', async () => {
    const proxies = await Promise.all([0, 1].map(() => startPostgresProxy(database.databaseUrl)))
    for (const proxy of proxies) onTestFinished(() => proxy.close())
    const [first, second] = proxies as [(typeof proxies)[0], (typeof proxies)[0]]
    first.vanish()
    const hosts = `127.0.0.1:1,${new URL(first.url).host},${new URL(second.url).host}`
    const engine = await openPostgres({ url: withHosts(hosts), logger: silent })
    onTestFinished(() => engine.close())
    await warmUp(engine)
    for (const [gone, next] of [
      [second, first],
      [first, second],
    ] as const) {
      next.comeBack()
      gone.vanish()
      await becomesReady(engine)
    }
    // The same without a reset.
    first.comeBack()
    second.goSilent()
    await becomesReady(engine)
  })

  test.each([
    ['postgres://u:p@a:5432,b:port/x', /host 2 is not valid/],
    ['postgres://u:p@a:5432,/x', /host 2 is not valid/],
    ['postgres://u:p@a,b/x?target_session_attrs=standby', /does not find a writable server/],
  ])('%s is refused without its password', async (url, fault) => {
    const error = await openPostgres({ url, logger: silent }).catch((caught: Error) => caught)
    expect(error).toMatchObject({ name: 'StoreUnusable', message: expect.stringMatching(fault) })
    expect((error as Error).message).not.toContain('u:p')
  })

  test('a URL with several hosts none of which accepts writes is unavailable, with the reason of each', async () => {
    const { host } = new URL(database.databaseUrl)
    const url = withHosts(`127.0.0.1:1,${host}`, '?options=-c%20default_transaction_read_only%3Don')
    await expect(openPostgres({ url, logger: silent })).rejects.toThrow(
      new RegExp(
        `no writable host: .*127.0.0.1:1: .*ECONNREFUSED.*${host} accepts no writes|${host} accepts no writes.*ECONNREFUSED`,
      ),
    )
  })
})
