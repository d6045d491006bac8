import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runThroughBadNetwork } from '../testkit/sdk/bad-network.ts'
import { installPackedSdk, manyCalls } from '../testkit/sdk/packed-sdk.ts'
import { startPostgres } from '../testkit/store/postgres-server.ts'

/** Calls of the packed SDK through a proxy that loses responses and repeats requests: each must be charged exactly once. */
const [wanted = '10000', ...more] = process.argv.slice(2)
if (!/^[1-9]\d{0,5}$/.test(wanted) || more.length > 0) {
  console.error('usage: npm run bench:sdk -- [calls an engine, 1 to 999999]')
  process.exit(2)
}
const sdk = await installPackedSdk()
await sdk.compile({ 'many-calls': manyCalls })

async function run(engine: string, databaseUrl: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-sdk-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  const startedAt = performance.now()
  const counts = await runThroughBadNetwork(sdk, { databaseUrl, dataDir, remove }, Number(wanted))
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.log(`${engine}: ${wanted} calls, each charged once, in ${seconds} s; requests ${JSON.stringify(counts)}`)
  await remove()
}

await run('SQLite', 'sqlite:')
const server = await startPostgres({ fsync: true })
await run('PostgreSQL', server.url)
await server.remove()
await sdk.remove()
