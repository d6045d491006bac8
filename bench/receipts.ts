import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { claimMs, currentLog, ensureFirstLog, tileReader } from '../src/features/records/transparency/log-store.ts'
import { inclusionProof } from '../src/features/records/transparency/tree.ts'
import type { Engine } from '../src/storage/engine.ts'
import { createTree } from '../testkit/receipts/tree-rig.ts'
import { startPostgres } from '../testkit/store/postgres-server.ts'
import { startGateway } from './contestants/gateway-server.ts'
import { addCustomers, type Store, withStore } from './contestants/store.ts'
import { seedStore } from './scale/seed.ts'
import { median, pairedRatio, percentile } from './statistics.ts'
import { chatRequest } from './workload.ts'

/** What the public tree costs: the rate of calls with and without it, how far it is behind, proofs and disk of a large tree. */
const [wanted = '1000000', wantedRounds = '5', ...more] = process.argv.slice(2)
if (!/^[1-9]\d{2,7}$/.test(wanted) || !/^[1-9]\d?$/.test(wantedRounds) || more.length > 0) {
  console.error('usage: npm run bench:receipts -- [leaves, 100 to 99999999] [rounds]')
  process.exit(2)
}
const leaves = Number(wanted)
const rounds = Number(wantedRounds)
const callers = 32
const windowMs = 5000
const proofs = 1000

let holding: NodeJS.Timeout | undefined

/** Somebody else holds the claim, so that the gateway appends nothing. A claim that ends too late would be none. */
async function turnOff(engine: Engine): Promise<void> {
  const claim = () =>
    engine.write(async (tx) => {
      await ensureFirstLog(tx)
      const until = [Date.now() + claimMs / 2]
      await tx.run("UPDATE transparency_logs SET claimed_by = 'the benchmark', claim_until = $1", until)
    })
  await claim()
  // The gateway may hold the store's lock just then; the claim lasts until the next attempt.
  holding = setInterval(() => void claim().catch(() => {}), claimMs / 10)
}

async function turnOn(engine: Engine): Promise<void> {
  clearInterval(holding)
  await engine.write((tx) => tx.run('UPDATE transparency_logs SET claim_until = 0'))
}

/** For how long the oldest entry that is not in the tree has been committed. */
async function behindMs(engine: Engine): Promise<number> {
  const row = await engine.read((tx) =>
    tx.get<{ at: number | null }>(
      `SELECT MIN(e.entered_at) AS at FROM ledger_entries e
        LEFT JOIN transparency_progress p ON p.project_id = e.project_id
        WHERE e.entry_id > (SELECT COALESCE(MAX(last_entry_id), 0) FROM transparency_logs) AND e.seq > COALESCE(p.entries, 0)`,
    ),
  )
  return row?.at ? Date.now() - row.at : 0
}

async function rates(name: string, store: Store): Promise<void> {
  const [customer] = await addCustomers(store, { count: 1, orders: 30 })
  const gateway = await startGateway({ store })
  const agent = new Agent({ connections: callers })
  await withStore(store, async ({ engine }) => {
    let answered = 0
    /** Calls per second over a time, at the full rate of the gateway. */
    const load = async (during: () => Promise<void>) => {
      let isOn = true
      const before = answered
      const from = performance.now()
      const call = async (caller: number) => {
        for (let made = 0; isOn; made += 1) {
          const { statusCode, body } = await request(`${gateway.origin}/v1/models/chat`, {
            method: 'POST',
            dispatcher: agent,
            headers: {
              'content-type': 'application/json',
              authorization: `Bearer ${customer!.apiKey}`,
              'idempotency-key': `${from}-${caller}-${made}`,
            },
            body: chatRequest,
          })
          await body.dump()
          if (statusCode !== 200) throw new Error(`a call got ${statusCode}`)
          answered += 1
        }
      }
      const calling = Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)))
      await during()
      const rate = ((answered - before) * 1000) / (performance.now() - from)
      isOn = false
      await calling
      return rate
    }
    const caughtUp = async () => {
      while ((await behindMs(engine)) > 0) await delay(200)
    }
    await load(() => delay(windowMs))
    const measured = { off: [] as number[], on: [] as number[] }
    let furthestMs = 0
    for (let round = 0; round < rounds; round += 1) {
      for (const state of round % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const)) {
        await turnOn(engine)
        await caughtUp()
        if (state === 'off') await turnOff(engine)
        const rate = await load(async () => {
          for (let waited = 0; waited < windowMs; waited += 500) {
            await delay(500)
            if (state === 'on') furthestMs = Math.max(furthestMs, await behindMs(engine))
          }
        })
        measured[state].push(rate)
      }
    }
    const ratio = pairedRatio(measured.on, measured.off)
    console.log(
      `${name}: ${Math.round(median(measured.off))} calls/s without the tree, ${Math.round(median(measured.on))} with it (${ratio.toFixed(3)}); the tree was at most ${(furthestMs / 1000).toFixed(1)} s behind`,
    )
  })
  await agent.close()
  await gateway.stop()
}

const bytesOf = {
  sqlite: 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
  postgres: 'SELECT pg_database_size(current_database()) AS bytes',
}

async function largeTree(name: string, store: Store, kind: keyof typeof bytesOf): Promise<void> {
  await seedStore(store, { projects: Math.max(1, Math.ceil(leaves / 60_000)), charges: Math.floor(leaves / 2) })
  await withStore(store, async ({ engine }) => {
    const bytes = async () => (await engine.read((tx) => tx.get<{ bytes: number }>(bytesOf[kind])))!.bytes
    const before = await bytes()
    const tree = createTree({ engine, dataDir: store.dataDir })
    const from = performance.now()
    await tree.settle()
    const seconds = (performance.now() - from) / 1000
    const { size } = await engine.read(currentLog)
    const added = ((await bytes()) - before) / size
    const times: number[] = []
    for (let proof = 0; proof < proofs; proof += 1) {
      // Spread over the whole tree, without a cache.
      const index = (proof * 7_919_777) % size
      const startedAt = performance.now()
      await engine.read((tx) => inclusionProof(tileReader(tx, 1), index, size))
      times.push(performance.now() - startedAt)
    }
    console.log(
      `${name}: ${size.toLocaleString('en-US')} leaves at ${Math.round(size / seconds)} a second; a proof takes ${median(times).toFixed(2)} ms (99th percentile ${percentile(times, 99).toFixed(2)} ms); ${Math.round(added)} bytes of disk per entry`,
    )
  })
}

async function inFolder(databaseUrl: string, work: (store: Store) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-receipts-'))
  await work({ databaseUrl, dataDir })
  await rm(dataDir, { recursive: true, force: true })
}

await inFolder('sqlite:', (store) => rates('SQLite', store))
await inFolder('sqlite:', (store) => largeTree('SQLite', store, 'sqlite'))
for (const work of [
  (store: Store) => rates('PostgreSQL', store),
  (store: Store) => largeTree('PostgreSQL', store, 'postgres'),
]) {
  const server = await startPostgres({ fsync: true })
  await inFolder(server.url, work)
  await server.remove()
}
process.exit(0)
