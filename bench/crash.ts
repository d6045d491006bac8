import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../testkit/store/postgres-server.ts'
import { crashStorm } from '../testkit/storms/crash-storm.ts'

/** The long crash test: 500 kills per engine; on PostgreSQL the database is killed too. */
const [wanted = '500', ...more] = process.argv.slice(2)
if (!/^[1-9]\d{0,4}$/.test(wanted) || more.length > 0) {
  console.error('usage: npm run bench:crash -- [how many kills an engine, 1 to 99999]')
  process.exit(2)
}
const kills = Number(wanted)
const newDataDir = () => mkdtemp(join(tmpdir(), 'gateway-crash-'))
const onProgress = (done: number) => process.stderr.write(`\r${done} of ${kills} kills `)
let isSound = true

function tell(
  engine: string,
  { report, mismatches, forwardedTwice, eventFaults, ...counts }: Awaited<ReturnType<typeof crashStorm>>,
): void {
  process.stderr.write('\r')
  console.log(engine, JSON.stringify({ ...counts, rows: report.size }))
  const faults = [
    ...mismatches,
    ...forwardedTwice.map((prompt) => `forwarded twice: ${prompt}`),
    ...counts.operators.faults,
    ...eventFaults,
    ...report.differences.map((one) => JSON.stringify(one)),
  ]
  for (const fault of faults) console.log(`  ${fault}`)
  isSound &&= faults.length === 0 && counts.exitCode === 0
}

{
  const dataDir = await newDataDir()
  const remove = () => rm(dataDir, { recursive: true, force: true })
  tell(
    'SQLite',
    await crashStorm({ database: { databaseUrl: 'sqlite:', dataDir, remove }, instances: 1, kills, onProgress }),
  )
  await remove()
}
{
  const [server, dataDir] = [await startPostgres({ fsync: true }), await newDataDir()]
  const remove = () => rm(dataDir, { recursive: true, force: true })
  const killDatabase = { every: 25, kill: () => server.kill() }
  tell(
    'PostgreSQL',
    await crashStorm({
      database: { databaseUrl: server.url, dataDir, remove },
      instances: 2,
      kills,
      killDatabase,
      onProgress,
    }),
  )
  await remove()
  await server.remove()
}
process.exit(isSound ? 0 : 1)
