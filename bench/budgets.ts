import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../src/storage/open-store.ts'
import { startPostgres } from '../testkit/store/postgres-server.ts'
import { addCredits, type Customer, createCustomer, createRig, type Rig } from '../testkit/store/rig.ts'
import { ledgerRun } from './ledger/contestants.ts'
import { createBatches } from './ledger/workload.ts'
import { median, pairedRatio } from './statistics.ts'

/** Reserve + settle pairs per second with a budget on every key, compared with none, in interleaved rounds of one store. */
const rounds = 15
const pairsPerRound = 4096
const customersCount = 50
const silent = { info() {}, warn() {}, error() {} }

async function seed(rig: Rig, hasBudgets: boolean): Promise<Customer[]> {
  const customers: Customer[] = []
  for (let i = 0; i < customersCount; i += 1) {
    const customer = await createCustomer(rig)
    for (let order = 0; order < 3; order += 1) await addCredits(rig, customer.projectId, 100_000)
    const { projectId, keyId } = customer
    if (hasBudgets) await rig.namedKeys.update(projectId, keyId, { budget: { credits: 1_000_000_000, per: 'day' } })
    customers.push(customer)
  }
  return customers
}

async function compare(engine: string, databaseUrl: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-bench-'))
  const store = await openStore({ databaseUrl, dataDir, exclusive: false, clock: Date.now, logger: silent })
  const rig = createRig(store)
  const groups = [await seed(rig, false), await seed(rig, true)] as const
  const run = ledgerRun(rig)
  for (const size of [1, 32, 128]) {
    const pairs = size === 1 ? pairsPerRound / 8 : pairsPerRound
    const speeds: [number[], number[]] = [[], []]
    // The first round warms both up and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      // Each goes first in every other round.
      for (const group of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const batches = createBatches(groups[group], size, pairs / size)
        const startedAt = performance.now()
        await run(batches)
        if (round > 0) speeds[group].push((pairs / (performance.now() - startedAt)) * 1000)
      }
    }
    const [without, withBudget] = speeds.map((values) => Math.round(median(values)))
    const ratio = pairedRatio(speeds[1], speeds[0])
    console.log(`| ${engine} | ${size} | ${without} | ${withBudget} | ${ratio.toFixed(3)} |`)
  }
  await store.close()
  await rm(dataDir, { recursive: true })
}

console.log('| engine | batch | pairs/s without | pairs/s with | ratio |\n|---|---|---|---|---|')
await compare('SQLite', 'sqlite:')
const server = await startPostgres({ fsync: true })
await compare('PostgreSQL', server.url)
await server.remove()
process.exit(0)
