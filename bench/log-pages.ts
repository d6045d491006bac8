import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { UsageParameters } from '../src/features/records/reports/contract.ts'
import { inTurns } from '../src/features/records/reports/read-turns.ts'
import { createConsoleStore, type ReportStore } from '../src/features/records/reports/store.ts'
import { usagePage } from '../src/features/records/reports/usage.ts'
import { startPostgres } from '../testkit/store/postgres-server.ts'
import { addCredits, admissionOf, createCustomer, type Rig } from '../testkit/store/rig.ts'
import { seedBusyProjects } from '../testkit/store/seed-busy-projects.ts'
import { withStore } from './contestants/store.ts'
import { table } from './report/table.ts'
import { median, pairedRatio } from './statistics.ts'

/** How long the store takes for a page of the log, whatever its filter and position, and what that costs paying callers. */
const [wanted = '10000,1000000', ...more] = process.argv.slice(2)
if (!/^\d{4,7}(,\d{4,7})*$/.test(wanted) || more.length > 0) {
  console.error('usage: npm run bench:log -- [calls of the project, such as 10000,1000000]')
  process.exit(2)
}
const goalMs = 50
const repeats = 15
const callers = 32
const windowMs = 1500
const rounds = 16
const days = { from: '2023-11-14', to: '2023-11-15' }

/** What the ids of the seed have in the middle of its calls. */
const middleOf = (calls: number) => `0V${String(1_000_000_000 + Math.floor(calls / 2)).slice(1)}`

type Asked = Omit<UsageParameters, 'limit'>

const pagesOf = (calls: number, keyId: string): Record<string, Asked> => ({
  'no filter': {},
  'one operation': { operation: 'model.chat' },
  'a state that all have': { state: 'settled' },
  'a state that one has': { state: 'released' },
  'in review': { state: 'manual_review' },
  'a key that all have': { keyId },
  'a key that none has': { keyId: 'key_none' },
  'an error that none has': { reason: 'PROVIDER_UNAVAILABLE' },
  'two days': days,
  'two days, a key that none has': { ...days, keyId: 'key_none' },
  'a charge': { id: `chg_${middleOf(calls)}` },
  'a request without a call': { id: `req_${middleOf(calls)}`.padEnd(24, '0') },
})

const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

async function measure(reports: ReportStore, projectId: string, asked: Asked): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < repeats; n += 1) {
    times.push(await timeOf(() => usagePage(reports, projectId, { ...asked, limit: 25 })))
  }
  return times
}

/** Calls a second that the books take, alone and while pages are read one after the other: by turns, because machines change their speed. */
async function ratesWithReaders(
  rig: Rig,
  reports: ReportStore,
  readProject: string,
): Promise<Record<'alone' | 'during', number[]>> {
  const customer = await createCustomer(rig)
  await addCredits(rig, customer.projectId, 2_000_000)
  let isOn = true
  let done = 0
  const call = async () => {
    while (isOn) {
      const command = admissionOf(rig, customer)
      await rig.ledger.admit(command)
      const { chargeId, projectId } = command
      const end = { type: 'end', chargeId, projectId, from: 'reserved', to: 'settled', reason: null } as const
      const response = { status: 200, code: null, body: '{}' }
      await rig.ledger.end({ ...end, response, usage: null, snapshots: [], decision: null, at: rig.clock() })
      done += 1
    }
  }
  const calling = Promise.all(Array.from({ length: callers }, call))
  const rate = async () => {
    const [from, before] = [performance.now(), done]
    await delay(windowMs)
    return ((done - before) * 1000) / (performance.now() - from)
  }
  let isReading = false
  const read = async () => {
    while (isReading) await usagePage(reports, readProject, { keyId: 'key_none', limit: 25 })
  }
  const rates = { alone: [] as number[], during: [] as number[] }
  await rate()
  for (let round = 0; round < rounds; round += 1) {
    for (const state of round % 2 === 0 ? (['alone', 'during'] as const) : (['during', 'alone'] as const)) {
      isReading = state === 'during'
      const reading = read()
      rates[state].push(await rate())
      isReading = false
      await reading
    }
  }
  isOn = false
  await calling
  return rates
}

async function report({ engine, calls }: { engine: 'sqlite' | 'postgres'; calls: number }): Promise<boolean> {
  const server = engine === 'postgres' ? await startPostgres({ fsync: false }) : null
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-log-pages-'))
  const isMet = await withStore({ databaseUrl: server?.url ?? 'sqlite:', dataDir }, async (rig) => {
    const { busy } = await seedBusyProjects(rig.engine, calls)
    if (engine === 'postgres') await rig.engine.write((tx) => tx.get(pastSeed, []))
    const reports = createConsoleStore(rig.engine)
    const rows: string[][] = []
    let longest = 0
    for (const [name, asked] of Object.entries(pagesOf(calls, busy.keyId))) {
      const isNamed = asked.id !== undefined || asked.state === 'manual_review'
      for (const after of isNamed ? [undefined] : [undefined, String(calls), '2000']) {
        const times = await measure(reports, busy.projectId, { ...asked, ...(after && { after }) })
        longest = Math.max(longest, median(times))
        rows.push([name, after ?? 'newest', median(times).toFixed(1), Math.max(...times).toFixed(1)])
      }
    }
    console.log(`\n${engine}, ${calls.toLocaleString('en-US')} calls\n`)
    console.log(table(['filter', 'after', 'median ms', 'longest ms'], rows))
    const { alone, during } = await ratesWithReaders(
      rig,
      inTurns(reports, { isBusy: () => rig.ledger.queued() > 0 }),
      busy.projectId,
    )
    const ratio = pairedRatio(during, alone).toFixed(2)
    console.log(
      `\n${Math.round(median(alone))} calls/s alone, ${Math.round(median(during))} while pages are read all the time (${ratio})`,
    )
    return longest <= goalMs
  })
  await rm(dataDir, { recursive: true, force: true })
  await server?.remove()
  return isMet
}

/** The seed numbers its entries itself. */
const pastSeed = "SELECT setval('ledger_entry_ids', (SELECT MAX(entry_id) + 256 FROM ledger_entries))"

let isMet = true
for (const engine of ['sqlite', 'postgres'] as const) {
  for (const calls of wanted.split(',').map(Number)) isMet = (await report({ engine, calls })) && isMet
}
console.log(isMet ? `\nEvery page under ${goalMs} ms.` : `\nNot every page under ${goalMs} ms.`)
process.exit(isMet ? 0 : 1)
