import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { reconcile } from '../src/features/records/reconcile/reconcile.ts'
import type { Engine } from '../src/storage/engine.ts'
import { startPostgres } from '../testkit/store/postgres-server.ts'
import { addCredits, admissionOf, createCustomer } from '../testkit/store/rig.ts'
import { startGateway } from './contestants/gateway-server.ts'
import { withStore } from './contestants/store.ts'
import { seedStore } from './scale/seed.ts'
import { median } from './statistics.ts'
import { chatRequest } from './workload.ts'

/** What long reads cost a busy project on PostgreSQL: its rate during `reconcile`, and how long recovery searches open calls. */
const [wanted = '200000', ...more] = process.argv.slice(2)
if (!/^[1-9]\d{2,7}$/.test(wanted) || more.length > 0) {
  console.error('usage: npm run bench:long-reads -- [entries in the store, 100 to 99999999]')
  process.exit(2)
}
const callers = 32
const windowMs = 5000
const searches = 5

const server = await startPostgres({ fsync: false })
const store = { databaseUrl: server.url, dataDir: await mkdtemp(join(tmpdir(), 'gateway-long-reads-')) }
console.log(`filling a store: ${Number(wanted).toLocaleString('en-US')} entries`)
const charges = Number(wanted) / 2
// One project pays for this many.
await seedStore(store, { projects: Math.ceil(charges / 30_000), charges })
const apiKey = `gk_live_${'0'.repeat(43)}`
const agent = new Agent({ connections: callers })
let answered = 0
let isOn = true

await withStore(store, async (rig) => {
  const first = await rig.engine.read((tx) => tx.get<{ id: string }>('SELECT MIN(project_id) AS id FROM projects'))
  for (let order = 0; order < 20; order += 1) await addCredits(rig, first!.id, 100_000)
  const gateway = await startGateway({ store })
  const call = async (caller: number) => {
    for (let made = 0; isOn; made += 1) {
      const { statusCode, body } = await request(`${gateway.origin}/v1/models/chat`, {
        method: 'POST',
        dispatcher: agent,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${apiKey}`,
          'idempotency-key': `${caller}-${made}`,
        },
        body: chatRequest,
      })
      await body.dump()
      if (statusCode !== 200) throw new Error(`a call got ${statusCode}`)
      answered += 1
    }
  }
  const calling = Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)))
  const rateOver = async (work: () => Promise<unknown>) => {
    const [from, before] = [performance.now(), answered]
    await work()
    return ((answered - before) * 1000) / (performance.now() - from)
  }
  await delay(windowMs)
  for (let round = 1; round <= 2; round += 1) {
    const alone = await rateOver(() => delay(windowMs))
    let runs = 0
    let longestMs = 0
    const timed: Engine['read'] = async (work) => {
      const startedAt = performance.now()
      const result = await rig.engine.read(work)
      longestMs = Math.max(longestMs, performance.now() - startedAt)
      return result
    }
    const from = performance.now()
    const during = await rateOver(async () => {
      for (; performance.now() - from < windowMs; runs += 1) {
        const report = await reconcile({ read: timed })
        if (!report.isSound) throw new Error(JSON.stringify(report.differences[0]))
      }
    })
    const seconds = (performance.now() - from) / 1000 / runs
    console.log(
      `round ${round}: ${Math.round(alone)} calls/s alone, ${Math.round(during)} during reconcile (${(during / alone).toFixed(2)}), which took ${seconds.toFixed(1)} s, its longest transaction ${(longestMs / 1000).toFixed(2)} s`,
    )
  }
  // A call that stays open while others come and go; its instance lives.
  await rig.stores.lease.start()
  const customer = { ...(await createCustomer(rig)), projectId: first!.id }
  const key = await rig.engine.read((tx) =>
    tx.get<{ id: string }>('SELECT key_id AS id FROM api_keys WHERE project_id = $1', [first!.id]),
  )
  await rig.ledger.admit(admissionOf(rig, { ...customer, keyId: key!.id }))
  const openSince = performance.now()
  for (const seconds of [1, 10, 20]) {
    await delay(seconds * 1000)
    const times: number[] = []
    for (let i = 0; i < searches; i += 1) {
      const startedAt = performance.now()
      await rig.stores.charges.reserved('', 500)
      times.push(performance.now() - startedAt)
    }
    console.log(
      `recovery's search with a call that has been open for ${Math.round((performance.now() - openSince) / 1000)} s: ${median(times).toFixed(0)} ms`,
    )
  }
  isOn = false
  await calling
  await rig.stores.lease.stop()
  await gateway.stop()
})
await agent.close()
await rm(store.dataDir, { recursive: true, force: true })
await server.remove()
process.exit(0)
