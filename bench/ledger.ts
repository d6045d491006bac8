import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openStore } from '../src/storage/open-store.ts'
import type { PostgresEngine } from '../src/storage/postgres/postgres-engine.ts'
import { startPostgres } from '../testkit/store/postgres-server.ts'
import { addCredits, type Customer, createCustomer, createRig, type Rig } from '../testkit/store/rig.ts'
import { type BareRun, barePostgres, bareSqlite, ledgerRun } from './ledger/contestants.ts'
import { createBatches } from './ledger/workload.ts'

/**
 * Reserve + settle pairs per second by batch size on both engines, compared with the same statements sent directly to
 * the driver, in interleaved rounds of one run: only the ratios carry over to other machines.
 */
const sizes = [1, 8, 32, 128]
const rounds = 5
const pairsPerRound = 2048
const customersCount = 50
const silent = { info() {}, warn() {}, error() {} }

interface Copy {
  readonly rig: Rig
  readonly dataDir: string
}

async function openCopy(databaseUrl: string): Promise<Copy> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-bench-'))
  const engine = await openStore({ databaseUrl, dataDir, exclusive: false, clock: Date.now, logger: silent })
  return { rig: createRig(engine), dataDir }
}

/** The same customers in every copy of the store. */
async function seed(copies: readonly Copy[]): Promise<Customer[]> {
  const [first, ...others] = copies
  const customers: Customer[] = []
  for (let i = 0; i < customersCount; i += 1) {
    const customer = await createCustomer(first!.rig)
    for (const { rig } of others) {
      await rig.stores.identity.write((tx) => tx.createAccount(accountOf(customer)))
      await rig.stores.keys.write((tx) => tx.insert(keyOf(customer)))
    }
    for (const { rig } of copies) await addCredits(rig, customer.projectId, 100_000)
    customers.push(customer)
  }
  return customers
}

const accountOf = ({ projectId }: Customer) => ({
  accountId: `account of ${projectId}`,
  name: 'bench',
  recoveryEmail: { digest: projectId, masked: 'b***@example.com', sealed: 'none', keyVersion: 'none' },
  passwordDigest: 'none',
  identitySubject: `subject of ${projectId}`,
  phone: { digest: `phone of ${projectId}`, masked: '138****5678', sealed: 'none', keyVersion: 'none' },
  projectId,
  projectName: 'bench',
  at: 1,
})

const keyOf = ({ projectId, keyId }: Customer) => ({
  keyId,
  projectId,
  keyDigest: `digest of ${keyId}`,
  displayPrefix: 'gk_live_',
  scopes: ['models:invoke'] as const,
  createdAt: 1,
  revokedAt: null,
  suspendedAt: null,
  expiresAt: null,
  expiryWarningAt: null,
  rotatedFromKeyId: null,
  name: null,
  chainId: null,
  allowedAddresses: null,
  showsBalance: true,
  logsContent: false,
  budget: null,
  request: null,
  calls: 0,
  lastUsedAt: null,
  lastUsedFrom: null,
})

const timed = async (work: () => Promise<void>, pairs: number) => {
  const startedAt = performance.now()
  await work()
  return Math.round((pairs / (performance.now() - startedAt)) * 1000)
}
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

async function compare(engine: string, ours: Rig, bare: BareRun, customers: readonly Customer[]): Promise<void> {
  const run = ledgerRun(ours)
  for (const size of sizes) {
    const speeds = { ledger: [] as number[], bare: [] as number[] }
    const pairs = size === 1 ? pairsPerRound / 4 : pairsPerRound
    // The first round warms both up and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      const batches = createBatches(customers, size, pairs / size)
      const recorded = await bare.record(batches)
      const ledger = await timed(() => run(batches), pairs)
      const plain = await timed(() => bare.replay(recorded), pairs)
      if (round === 0) continue
      speeds.ledger.push(ledger)
      speeds.bare.push(plain)
    }
    const [ledger, plain] = [median(speeds.ledger), median(speeds.bare)]
    console.log(`| ${engine} | ${size} | ${ledger} | ${plain} | ${(ledger / plain).toFixed(2)} |`)
  }
}

console.log('| engine | batch | ledger pairs/s | bare pairs/s | share |\n|---|---|---|---|---|')
{
  const copies = await Promise.all([openCopy('sqlite:'), openCopy('sqlite:'), openCopy('sqlite:')])
  const customers = await seed(copies)
  const bare = bareSqlite(copies[1]!.dataDir, copies[2]!.dataDir)
  await compare('SQLite', copies[0]!.rig, bare, customers)
  await bare.close()
  await Promise.all(copies.map(({ rig, dataDir }) => rig.engine.close().then(() => rm(dataDir, { recursive: true }))))
}
{
  const server = await startPostgres({ fsync: true })
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  const urls = ['ours', 'recorded', 'bare'].map((name) => server.url.replace(/postgres$/, name))
  for (const name of ['ours', 'recorded', 'bare']) await admin.query(`CREATE DATABASE ${name}`)
  await admin.end()
  const copies = await Promise.all(urls.map(openCopy))
  const customers = await seed(copies)
  const bare = await barePostgres(copies[1]!.rig.engine as PostgresEngine, urls[2]!)
  await compare('PostgreSQL', copies[0]!.rig, bare, customers)
  await bare.close()
  await Promise.all(copies.map(({ rig, dataDir }) => rig.engine.close().then(() => rm(dataDir, { recursive: true }))))
  await server.remove()
}
process.exit(0)
