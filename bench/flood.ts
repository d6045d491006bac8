import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectionLimit } from '../src/ops/health.ts'
import { startPostgres } from '../testkit/store/postgres-server.ts'
import { type FloodReport, flood } from '../testkit/storms/flood.ts'
import { crowds } from './crowds/crowds.ts'
import { largeBodies } from './crowds/large-bodies.ts'

/**
 * Attacks a gateway in four ways at once, on each engine, and judges how a paying client fares. Then judges how payers fare
 * next to thousands of connections: those of one stranger, and their own; and a tenant with large bodies next to slow ones.
 */
const [wanted = '20', ...more] = process.argv.slice(2)
if (!/^[1-9]\d{0,2}$/.test(wanted) || more.length > 0) {
  console.error('usage: npm run bench:flood -- [seconds an engine, 1 to 999]')
  process.exit(2)
}
if (connectionLimit() < 4500) {
  console.error('needs 4,500 connections: ulimit -n must be 6,000 or more')
  process.exit(2)
}
const attackers = { seconds: Number(wanted), pipeliners: 700, nonReaders: 300, giants: 10, callers: 1000 }
const longestMs = 1000
const mostMemoryMb = 400
let isSound = true

function tell(engine: string, { latenciesMs, reconciled, ...report }: FloodReport): void {
  const quantile = (q: number) => Math.round(latenciesMs[Math.floor(q * (latenciesMs.length - 1))] ?? 0)
  const figures = { calls: latenciesMs.length, p50: quantile(0.5), p99: quantile(0.99), slowest: quantile(1) }
  const served = report.statuses[200] ?? 0
  console.log(engine, JSON.stringify({ ...figures, ...report, isSound: reconciled.isSound }))
  const faults = [
    figures.p99 >= longestMs && `p99 of ${figures.p99} ms`,
    report.peakMemoryMb >= mostMemoryMb && `${report.peakMemoryMb} MB`,
    report.reviews > 0 && `${report.reviews} reviews`,
    report.shed === 0 && 'nothing was shed',
    served <= latenciesMs.length / 2 && `only ${served} of ${latenciesMs.length} calls were served`,
    ...reconciled.differences.map((one) => JSON.stringify(one)),
  ].filter((fault) => fault !== false)
  for (const fault of faults) console.log(`  ${fault}`)
  isSound &&= faults.length === 0
}

const leastShare = 0.8

async function runCrowds(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-crowds-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  const { rows, crowded, many, refused } = await crowds({ databaseUrl: 'sqlite:', dataDir, remove }, crowdRounds)
  await remove()
  console.table(rows)
  const faults = [
    refused > 0 && `${refused} calls next to the stranger were refused`,
    crowded < leastShare && `next to the stranger ${crowded.toFixed(2)} of the rate`,
    many < leastShare && `with 4,000 connections ${many.toFixed(2)} of the rate with 400`,
  ].filter((fault) => fault !== false)
  for (const fault of faults) console.log(`  ${fault}`)
  isSound &&= faults.length === 0
}

const crowdRounds = 5
const mostSlower = 3

async function runLargeBodies(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-bodies-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  const report = await largeBodies({ databaseUrl: 'sqlite:', dataDir, remove }, crowdRounds)
  await remove()
  console.log('large bodies', JSON.stringify(report))
  const slower = report.crowdedMs / report.calmMs
  const faults = [
    report.refused > 0 && `${report.refused} calls next to the slow bodies were refused`,
    slower > mostSlower && `next to the slow bodies they took ${slower.toFixed(1)} times as long`,
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

await runLargeBodies()
await runCrowds()
await run('SQLite', 'sqlite:')
const server = await startPostgres({ fsync: true })
await run('PostgreSQL', server.url)
await server.remove()
process.exit(isSound ? 0 : 1)
