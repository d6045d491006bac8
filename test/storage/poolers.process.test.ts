import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../src/storage/postgres/postgres-engine.ts'
import { startGateway } from '../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../testkit/gateway/paying-customer.ts'
import { tools } from '../../testkit/installed-tools.ts'
import { type Database, freshDatabase, silent } from '../../testkit/store/engines.ts'
import { startPgBouncer } from '../../testkit/store/pgbouncer.ts'
import { startPooler } from '../../testkit/store/pooler.ts'

let database: Database
beforeAll(async () => {
  database = await freshDatabase('postgres')
})
afterAll(() => database.remove())

type Start = (url: string) => Promise<{ readonly url: string; close(): Promise<void> }>

async function pooledUrl(start: Start): Promise<string> {
  const pooler = await start(database.databaseUrl)
  onTestFinished(() => pooler.close())
  return pooler.url
}

async function isRefused(start: Start): Promise<void> {
  await expect(openPostgres({ url: await pooledUrl(start), logger: silent })).rejects.toMatchObject({
    name: 'StoreUnusable',
    message: expect.stringMatching(/^DATABASE_URL: leads to a pooler that does not keep sessions/),
  })
}

async function servesCalls(start: Start): Promise<void> {
  const gateway = await startGateway({ database: { ...database, databaseUrl: await pooledUrl(start) } })
  onTestFinished(() => gateway.stop())
  const customer = await PayingCustomer.join(gateway, { amountFen: 10_000 })
  const calls = Array.from({ length: 40 }, () => customer.call('model.chat', { prompt: 'hello' }))
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(40).fill(200))
  expect(await customer.credits()).toMatchObject({ available: 1000 - 40 * 3, reserved: 0 })
}

describe('a pooler', () => {
  test('a pooler that shares connections between transactions is refused at the start', () =>
    isRefused((url) => startPooler(url, 'transaction')))

  test('a pooler that keeps sessions serves paid calls', () => servesCalls((url) => startPooler(url, 'session')))
})

// A pooler of our own stands in for it where it is not installed.
describe.runIf(tools.pgbouncer)('PgBouncer', () => {
  test.each(['transaction', 'statement'] as const)('PgBouncer in %s mode is refused at the start', (mode) =>
    isRefused((url) => startPgBouncer(url, mode)),
  )

  test('PgBouncer in session mode serves paid calls', () => servesCalls((url) => startPgBouncer(url, 'session')))
})
