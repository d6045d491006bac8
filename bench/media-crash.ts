import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../testkit/store/postgres-server.ts'
import { mediaStorm } from '../testkit/storms/media-storm.ts'
import { sharedJobs } from '../testkit/storms/shared-jobs.ts'

/** The long test of media jobs: 200 kills per engine, then 2,000 open jobs on three instances. */
const [wanted = '200', shared = '2000', ...more] = process.argv.slice(2)
if (![wanted, shared].every((text) => /^\d{1,5}$/.test(text)) || more.length > 0) {
  console.error('usage: npm run bench:media-crash -- [kills per engine] [jobs of three instances]')
  process.exit(2)
}
const [kills, jobs] = [Number(wanted), Number(shared)]
const onProgress = (done: number) => process.stderr.write(`\r${done} of ${kills} kills `)
let isSound = true

async function withDatabase<T>(
  databaseUrl: string,
  work: (database: { databaseUrl: string; dataDir: string; remove(): Promise<void> }) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-media-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  return work({ databaseUrl, dataDir, remove }).finally(remove)
}

async function storm(engine: string, databaseUrl: string, instances: number): Promise<void> {
  const { report, ...seen } = await withDatabase(databaseUrl, (database) =>
    mediaStorm({ database, instances, kills, onProgress }),
  )
  process.stderr.write('\r')
  console.log(engine, JSON.stringify({ ...seen, rows: report.size }))
  for (const difference of report.differences) console.log(`  ${JSON.stringify(difference)}`)
  isSound &&= report.isSound && seen.exitCode === 0 && seen.submittedTwice.length === 0 && seen.missing.length === 0
}

if (kills > 0) await storm('SQLite', 'sqlite:', 1)
{
  const server = await startPostgres({ fsync: true })
  if (kills > 0) await storm('PostgreSQL', server.url, 2)
  await server.remove()
}
if (jobs > 0) {
  const server = await startPostgres({ fsync: true })
  const { report, ...seen } = await withDatabase(server.url, (database) => sharedJobs({ database, jobs }))
  console.log('three instances', JSON.stringify({ ...seen, rows: report.size }))
  isSound &&= report.isSound && seen.mostAtOnce === 1 && seen.unpolledAfterKill.length === 0 && seen.completed === jobs
  await server.remove()
}
process.exit(isSound ? 0 : 1)
