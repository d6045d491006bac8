import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../test/support/store/postgres-server.ts'
import { type FloodReport, flood } from '../test/support/storms/flood.ts'

/** Attacks a gateway in four ways at once, on each engine, and judges how a paying client fares meanwhile. */
const [wanted = '20', ...more] = process.argv.slice(2)
if (!/^[1-9]\d{0,2}$/.test(wanted) || more.length > 0) {
  console.error('usage: npm run bench:flood -- [seconds an engine, 1 to 999]')
  process.exit(2)
}
const attackers = { seconds: Number(wanted), pipeliners: 700, nonReaders: 300, giants: 10, callers: 1000 }
const longestMs = 1000
const mostMemoryMb = 400
let isSound = true

function tell(engine: string, { latenciesMs, books, ...report }: FloodReport): void {
  const quantile = (q: number) => Math.round(latenciesMs[Math.floor(q * (latenciesMs.length - 1))] ?? 0)
  const figures = { calls: latenciesMs.length, p50: quantile(0.5), p99: quantile(0.99), slowest: quantile(1) }
  const served = report.statuses[200] ?? 0
  console.log(engine, JSON.stringify({ ...figures, ...report, isSound: books.isSound }))
  const faults = [
    figures.p99 >= longestMs && `p99 of ${figures.p99} ms`,
    report.peakMemoryMb >= mostMemoryMb && `${report.peakMemoryMb} MB`,
    report.reviews > 0 && `${report.reviews} reviews`,
    report.shed === 0 && 'nothing was shed',
    served <= latenciesMs.length / 2 && `only ${served} of ${latenciesMs.length} calls were served`,
    ...books.differences.map((one) => JSON.stringify(one)),
  ].filter((fault) => fault !== false)
  for (const fault of faults) console.log(`  ${fault}`)
  isSound &&= faults.length === 0
}

async function run(engine: string, databaseUrl: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-flood-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  tell(engine, await flood({ databaseUrl, dataDir, remove }, attackers))
  await remove()
}

await run('SQLite', 'sqlite:')
const server = await startPostgres({ fsync: true })
await run('PostgreSQL', server.url)
await server.remove()
process.exit(isSound ? 0 : 1)
