import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createSessions } from '../../src/features/identity/accounts/sessions.ts'
import { setLowBalance } from '../../src/features/notifications/events/store.ts'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { origin } from '../gateway/gateway.ts'
import { type GatewayProcess, type ProcessOptions, startGatewayProcess } from '../gateway/gateway-process.ts'
import { freePort } from '../http/free-port.ts'
import { type Behaviour, behaves, startUpstream } from '../providers/upstream.ts'
import { type Database, openDatabase } from '../store/engines.ts'
import { eventDifferences } from '../store/event-differences.ts'
import { addCredits, createCustomer, createRig } from '../store/rig.ts'
import { startOperators } from './crash-operators.ts'
import { type Payer, startTraffic } from './crash-traffic.ts'

export interface StormOptions {
  readonly database: Database
  readonly instances: number
  readonly kills: number
  /** Kills and restarts the database, once per this many kills of a gateway. */
  readonly killDatabase?: { readonly every: number; readonly kill: () => Promise<void> }
  /** Of each caller, after a response: none unless given. A pause leaves the time of the machine to the starts. */
  readonly pauseMs?: number
  readonly onProgress?: (kills: number) => void
}

/**
 * Load on real processes that are killed with SIGKILL at random moments. Afterwards every response that a client got
 * must still be true: the same responses, no prompt forwarded twice, no reference granted twice, books that reconcile, and an
 * event for everything that happened and for nothing else.
 */
export async function crashStorm(options: StormOptions) {
  const { database, instances, kills, killDatabase, pauseMs = 0 } = options
  const upstream = await startUpstream(moody())
  const environment = await environmentFor(database, upstream.url)
  const store = await openDatabase(database, { exclusive: false })
  const { payers, orderIds } = await createPayers(store)

  const running = new Map<number, GatewayProcess>()
  let killed = 0
  let isOver = false
  // Odd while the database is down: a gateway that saw it change, or saw an odd one, may have met the outage.
  let outages = 0
  async function keepKilling(): Promise<void> {
    const port = await freePort()
    while (!isOver) {
      const gateway = await startUnless(() => outages, { environment, port })
      if (!gateway) continue
      running.set(port, gateway)
      await untilAnswered(() => traffic.counts.responses, Math.random() * answersBetweenKills)
      running.delete(port)
      await gateway.kill()
      killed += 1
      options.onProgress?.(killed)
      if (killDatabase && killed % killDatabase.every === 0) {
        outages += 1
        await killDatabase.kill()
        outages += 1
      }
      isOver = killed >= kills
    }
  }

  const ports = () => [...running.keys()]
  const traffic = startTraffic({ payers, orderIds, ports, random: Math.random, pauseMs })
  const operators = startOperators({ store, payers, suspect: payers.at(-1)!, environment, random: Math.random })
  await Promise.all(Array.from({ length: instances }, keepKilling))
  await traffic.stop()
  await operators.stop()

  const port = await freePort()
  const last = await startGatewayProcess({ environment, port })
  await untilNoneIsReserved(store)
  const answered = [...traffic.seen].filter(([, intent]) => intent.response !== null)
  await inGroups(answered, 20, ([key]) => traffic.call(key, port))
  await inGroups(Array.from({ length: lastResets }), 4, () => traffic.reset(port))
  const locked = await Promise.all(payers.map((payer) => traffic.lockedExports(port, payer)))
  const exitCode = await last.terminate()

  const report = await reconcile(store)
  const [events, eventFaults] = [await countEvents(store), await eventDifferences(store)]
  const reviews = await store.read((tx) =>
    tx.get<{ n: number }>("SELECT COUNT(*) AS n FROM charges WHERE state = 'manual_review'"),
  )
  const prompts = upstream.calls.map(({ body }) => JSON.parse(body).messages.at(-1).content as string)
  await Promise.all([store.close(), upstream.close(), traffic.close()])
  const { mismatches, ...counts } = traffic.counts
  return {
    kills: killed,
    ...counts,
    answered: answered.length,
    reviews: reviews!.n,
    operators: operators.counts,
    forwarded: prompts.length,
    forwardedTwice: repeated(prompts),
    mismatches: [...mismatches, ...locked.flat()],
    report,
    events,
    eventFaults,
    exitCode,
  }
}

const completion = {
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'an answer' } }],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
}

/** Mostly responds, sometimes late, sometimes with a refusal. */
export function moody(): Behaviour {
  return (wire, call) => {
    const mood = Math.random()
    const act = mood < 0.1 ? behaves.respond(400, { error: 'no' }) : behaves.respond(200, completion)
    setTimeout(() => !wire.destroyed && act(wire, call), mood * 40)
  }
}

async function environmentFor(database: Database, upstreamUrl: string): Promise<Record<string, string>> {
  const file = join(database.dataDir, 'storm.json')
  const breaker = { failures: 1000, coolSeconds: 1 }
  const models = {
    providers: { model_provider_b: { adapter: 'openai', baseUrl: upstreamUrl, models: { fast: 'fast' }, breaker } },
  }
  const many = { max: 1_000_000, windowSeconds: 60 }
  await writeFile(file, JSON.stringify({ models, limits: { callsPerKey: many, sessionWritesPerProject: many } }))
  return {
    GATEWAY_ORIGIN: origin,
    GATEWAY_DATA_DIR: database.dataDir,
    DATABASE_URL: database.databaseUrl,
    GATEWAY_SECRET: randomBytes(32).toString('hex'),
    GATEWAY_CONFIG: file,
  }
}

const answersBetweenKills = 80
const longestRunMs = 3000

/** Counted in calls, not in time, so that a slow machine does as much between two kills as a fast one. */
export async function untilAnswered(responses: () => number, count: number): Promise<void> {
  const enough = responses() + count
  for (let waitedMs = 0; responses() < enough && waitedMs < longestRunMs; waitedMs += 5) await delay(5)
}

/** More than the exports that can be read at once. */
const lastResets = 100
const payerCount = 4
const startCredits = 100_000
const ordersEach = 50

export async function createPayers(store: Awaited<ReturnType<typeof openDatabase>>) {
  const rig = createRig(store)
  const sessions = createSessions({ store: rig.stores.identity, clock: Date.now, lifetimeSeconds: 86_400 })
  const payers: Payer[] = []
  const orderIds: { payer: Payer; orderId: string }[] = []
  for (let i = 0; i < payerCount; i += 1) {
    const customer = await createCustomer(rig)
    await addCredits(rig, customer.projectId, startCredits)
    // So that the balance crosses it many times.
    await store.write((tx) => setLowBalance(tx, customer.projectId, startCredits))
    const owner = { accountId: `account of ${customer.projectId}`, projectId: customer.projectId }
    const session = await rig.stores.identity.write((tx) => sessions.open(tx, owner))
    const payer = { ...customer, cookie: `gateway_session=${session.token}`, csrfToken: session.csrfToken }
    payers.push(payer)
    for (let n = 0; n < ordersEach; n += 1) {
      const { orderId } = await rig.orders.create(customer.projectId, 100 * (n + 1), `order ${n}`)
      orderIds.push({ payer, orderId })
    }
  }
  return { payers, orderIds }
}

/** All of them, and those that were not dispatched before the last gateway stopped. */
export async function countEvents(store: Awaited<ReturnType<typeof openDatabase>>) {
  const row = await store.read((tx) =>
    tx.get<{ all: number; due: number }>('SELECT COUNT(*) AS "all", COUNT(due_at) AS due FROM events'),
  )
  return row!
}

/** On PostgreSQL a dead instance's charges wait for its lease to run out. */
export async function untilNoneIsReserved(store: Awaited<ReturnType<typeof openDatabase>>): Promise<void> {
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 200) {
    const row = await store.read((tx) =>
      tx.get<{ n: number }>("SELECT COUNT(*) AS n FROM charges WHERE state = 'reserved'"),
    )
    if (row!.n === 0) return
    await delay(200)
  }
  throw new Error('charges stayed reserved after every lease had run out')
}

/** A gateway that cannot start while the database is being restarted tries again; any other reason is a failure. */
async function startUnless(outages: () => number, options: ProcessOptions): Promise<GatewayProcess | null> {
  const before = outages()
  return startGatewayProcess(options).catch((error) => {
    if (before % 2 === 1 || outages() !== before) return null
    throw error
  })
}

export async function inGroups<T>(list: readonly T[], size: number, work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < list.length; start += size) await Promise.all(list.slice(start, start + size).map(work))
}

export function repeated(list: readonly string[]): string[] {
  const seen = new Set<string>()
  return list.filter((value) => seen.has(value) || !seen.add(value))
}
