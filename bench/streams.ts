import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../testkit/store/postgres-server.ts'
import { streamStorm } from '../testkit/storms/stream-storm.ts'

/** The long test of streams: an upstream that lies, callers that leave and repeat, kills. Half of the runs on each engine. */
const [wanted = '10000', wantedKills = '40', ...more] = process.argv.slice(2)
if (![wanted, wantedKills].every((text) => /^\d{1,6}$/.test(text)) || more.length > 0) {
  console.error('usage: npm run bench:streams -- [runs] [kills]')
  process.exit(2)
}
const [runs, kills] = [Math.ceil(Number(wanted) / 2), Math.ceil(Number(wantedKills) / 2)]
let isSound = true

async function storm(engine: string, databaseUrl: string, killed: number, seed: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-streams-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  const count = Math.ceil(runs / 2)
  const onProgress = (done: number) => done % 50 === 0 && process.stderr.write(`\r${engine}: ${done} of ${count} runs `)
  const database = { databaseUrl, dataDir, remove }
  const { report, ...seen } = await streamStorm({ database, runs: count, kills: killed, seed, onProgress })
  await remove()
  process.stderr.write('\r')
  console.log(engine, JSON.stringify({ ...seen, rows: report.size }))
  for (const difference of report.differences) console.log(`  ${JSON.stringify(difference)}`)
  const settled = seen.states.settled ?? 0
  const isExact = killed > 0 ? settled <= seen.finishes : settled === seen.finishes
  isSound &&= report.isSound && seen.exitCode === 0 && seen.calledTwice.length === 0 && isExact
}

await storm('SQLite', 'sqlite:', 0, 1)
await storm('SQLite, killed', 'sqlite:', kills, 2)
for (const [name, killed, seed] of [
  ['PostgreSQL', 0, 3],
  ['PostgreSQL, killed', kills, 4],
] as const) {
  const server = await startPostgres({ fsync: true })
  await storm(name, server.url, killed, seed)
  await server.remove()
}
console.log(isSound ? 'Every charge ended as its stream did.' : 'Something is wrong.')
process.exit(isSound ? 0 : 1)
