import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { StoreUnavailable, type Writer } from '../../src/storage/engine.ts'
import { openPostgres, type PostgresEngine } from '../../src/storage/postgres/postgres-engine.ts'
import { becomesReady, silent } from '../../testkit/store/engines.ts'
import { type PostgresServer, startPostgres } from '../../testkit/store/postgres-server.ts'

const createTable = (engine: PostgresEngine) =>
  engine.write((tx) => tx.run('CREATE TABLE counters (name TEXT NOT NULL PRIMARY KEY, value BIGINT NOT NULL)'))
const put = (tx: Writer, name: string) => tx.run('INSERT INTO counters (name, value) VALUES ($1, 1)', [name])
const names = async (engine: PostgresEngine) =>
  (await engine.read((tx) => tx.all<{ name: string }>('SELECT name FROM counters ORDER BY name'))).map(
    (row) => row.name,
  )

describe('a server that stops and starts again', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres({ fsync: true })
  })
  afterAll(() => server.remove())

  test('a server that stops and starts again is unavailable until then, recovers automatically, and has kept every commit and nothing half-written', async () => {
    const engine = await openPostgres({ url: server.url, logger: silent, waitLimitMs: 1000 })
    onTestFinished(() => engine.close())
    await createTable(engine)
    const answered: string[] = []
    const inDoubt: string[] = []
    let isStopping = true
    let serial = 0
    const writer = async () => {
      while (isStopping) {
        serial += 1
        const name = `n${serial}`
        try {
          await engine.write(async (tx) => {
            await put(tx, `${name}-left`)
            await put(tx, `${name}-right`)
          })
          answered.push(name)
        } catch (error) {
          expect(error).toBeInstanceOf(StoreUnavailable)
          if ((error as StoreUnavailable).mayHaveCommitted) inDoubt.push(name)
        }
      }
    }
    const writers = Array.from({ length: 8 }, writer)
    await expect.poll(() => answered.length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(50)
    await server.stop()
    isStopping = false
    await Promise.all(writers)
    await expect(engine.check()).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(engine.read((tx) => tx.get('SELECT 1 AS one'))).rejects.toBeInstanceOf(StoreUnavailable)

    await server.start()
    await becomesReady(engine)
    const kept = new Set(await names(engine))
    for (const name of answered) expect(kept.has(`${name}-left`) && kept.has(`${name}-right`)).toBe(true)
    for (const name of inDoubt) expect(kept.has(`${name}-left`)).toBe(kept.has(`${name}-right`))
    const doubted = inDoubt.filter((name) => kept.has(`${name}-left`))
    expect(kept.size).toBe(2 * (answered.length + doubted.length))
  })
})
