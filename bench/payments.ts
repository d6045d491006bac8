import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reconcile } from '../src/features/records/reconcile/reconcile.ts'
import { openStore } from '../src/storage/open-store.ts'
import { everyStep, killAtSteps } from '../testkit/payments/kills.ts'
import { playPayments } from '../testkit/payments/world.ts'
import { startPostgres } from '../testkit/store/postgres-server.ts'
import { silent } from '../testkit/store/silent.ts'

/**
 * Kills a gateway process with SIGKILL at every step of a payment, an expiry and a refund, then plays histories with a payment
 * provider that lies, on SQLite or PostgreSQL: npm run bench:payments -- [seeds] [first] [sqlite|postgres].
 */
const seeds = Number(process.argv[2] ?? 10_000)
const first = Number(process.argv[3] ?? 1)
const seedsPerStore = 500
const server = process.argv[4] === 'postgres' ? await startPostgres({ fsync: true }) : null
const databaseUrl = server?.url ?? 'sqlite:'

let faulty = 0
{
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-payments-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  const { killedAt, payments, faults } = await killAtSteps({ databaseUrl, dataDir, remove }, everyStep)
  await remove()
  faulty += faults.length + everyStep.length - killedAt.length
  for (const fault of faults) console.log(fault)
  console.log(
    `${killedAt.length} kills of ${everyStep.length}, ${payments} payments, ${faults.length} faults: ${killedAt.join(', ')}`,
  )
}
for (let start = first; start < first + seeds; start += seedsPerStore) {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-payments-'))
  const store = await openStore({ databaseUrl, dataDir, exclusive: true, clock: Date.now, logger: silent })
  for (let seed = start; seed < Math.min(start + seedsPerStore, first + seeds); seed += 1) {
    const faults = await playPayments(store, seed)
    if (faults.length === 0) continue
    faulty += 1
    console.log(`seed ${seed}: ${faults.join('; ')}`)
  }
  const { differences } = await reconcile(store)
  faulty += differences.length
  if (differences.length > 0) console.log(JSON.stringify(differences.slice(0, 5)))
  await store.close()
  await rm(dataDir, { recursive: true, force: true })
  console.log(`${Math.min(start + seedsPerStore, first + seeds) - first} of ${seeds} histories, ${faulty} faults`)
}
await server?.stop()
process.exitCode = faulty === 0 ? 0 : 1
