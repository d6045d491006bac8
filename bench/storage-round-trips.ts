import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openPostgres } from '../src/storage/postgres/postgres-engine.ts'
import { openSqlite } from '../src/storage/sqlite/sqlite-engine.ts'
import { startPostgres } from '../testkit/store/postgres-server.ts'
import type { procedures } from '../testkit/store/sqlite-procedures.ts'

/** Measures the round trip of a statement on each engine, as quoted in docs/decisions/0004-two-engines.md. */

const quiet = { info() {}, warn() {}, error() {} }
const table = 'CREATE TABLE counters (name TEXT NOT NULL PRIMARY KEY, value BIGINT NOT NULL)'
const select = 'SELECT name, value FROM counters WHERE name = $1'
const update = "UPDATE counters SET value = value + 1 WHERE name = 'a'"

/** The best of forty short rounds, because other programs only slow a round down. */
async function measure(name: string, times: number, work: () => unknown) {
  const rounds: number[] = []
  for (let round = 0; round < 40; round += 1) {
    const start = performance.now()
    for (let i = 0; i < times; i += 1) await work()
    rounds.push(((performance.now() - start) * 1000) / times)
  }
  console.log(
    `${Math.min(...rounds)
      .toFixed(1)
      .padStart(9)} µs  ${name}`,
  )
}

const together = (count: number, work: () => Promise<unknown>) => () => Promise.all(Array.from({ length: count }, work))

async function sqlite() {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-bench-'))
  const start = performance.now()
  const engine = await openSqlite<typeof procedures>({
    file: join(directory, 'bench.sqlite'),
    exclusive: true,
    logger: quiet,
    procedures: new URL('../testkit/store/sqlite-procedures.ts', import.meta.url),
  })
  console.log(`${((performance.now() - start) * 1000).toFixed(1).padStart(9)} µs  SQLite: starting the worker`)
  await engine.write((tx) => tx.run(table))
  await engine.call('put', { name: 'a', value: 1 })
  const direct = new DatabaseSync(join(directory, 'bench.sqlite'))
  const prepared = direct.prepare('SELECT name, value FROM counters WHERE name = ?1')
  const read = () => engine.read((tx) => tx.get(select, ['a']))
  await measure('SQLite: a select in the same thread', 500, () => prepared.get('a'))
  await measure('SQLite: a procedure that changes nothing', 300, () =>
    engine.call('move', { from: 'x', to: 'y', amount: 1 }),
  )
  await measure('SQLite: a read of one select', 200, read)
  await measure('SQLite: a read of ten selects, one after the other', 30, () =>
    engine.read(async (tx) => {
      for (let i = 0; i < 10; i += 1) await tx.get(select, ['a'])
    }),
  )
  await measure('SQLite: 64 reads of one select at once', 5, together(64, read))
  await measure('SQLite: a write of one update', 20, () => engine.write((tx) => tx.run(update)))
  await measure('SQLite: a procedure of one update', 20, () => engine.call('move', { from: 'a', to: 'a', amount: 1 }))
  direct.close()
  await engine.close()
  await rm(directory, { recursive: true })
}

async function postgres() {
  const server = await startPostgres({ fsync: true })
  const engine = await openPostgres({ url: server.url, logger: quiet })
  await engine.write((tx) => tx.run(table))
  await engine.write((tx) => tx.run("INSERT INTO counters (name, value) VALUES ('a', 1)"))
  const six = Array.from({ length: 6 })
  await measure('PostgreSQL: a read of one select', 50, () => engine.read((tx) => tx.get(select, ['a'])))
  await measure('PostgreSQL: a write of one update', 20, () => engine.write((tx) => tx.run(update)))
  await measure('PostgreSQL: a write of six selects and six updates, each awaited', 10, () =>
    engine.write(async (tx) => {
      for (const _ of six) await tx.get(select, ['a'])
      for (const _ of six) await tx.run(update)
    }),
  )
  await measure('PostgreSQL: the same in two round trips', 10, () =>
    engine.pipelined(async (tx) => {
      await tx.send(six.map(() => ({ sql: select, params: ['a'] })))
      await tx.commit(six.map(() => ({ sql: update })))
    }),
  )
  await engine.close()
  await server.remove()
}

await sqlite()
await postgres()
