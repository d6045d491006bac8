import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { origin } from '../../testkit/gateway/gateway.ts'
import { startGatewayProcess } from '../../testkit/gateway/gateway-process.ts'
import { freePort } from '../../testkit/http/free-port.ts'
import { type Database, openDatabase } from '../../testkit/store/engines.ts'
import { addCredits, createCustomer, createRig } from '../../testkit/store/rig.ts'
import type { CrowdFigures, CrowdMessage, CrowdOptions } from './client.ts'

const client = fileURLToPath(new URL('./client.ts', import.meta.url))
const host = new URL(origin).host
const payers = 8
/** Sixteen loopback addresses: 4,000 connections stay below the limit of each. */
const manyAddresses = Array.from({ length: 16 }, (_, index) => `127.0.1.${index + 1}`)

/** What one crowd got while it was on, over all slices. */
export interface CrowdRow {
  readonly what: string
  readonly servedPerSecond: number
  readonly refusedPerSecond: number
  /** Connections that the gateway closed. */
  readonly closed: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly slowestMs: number
}

export interface CrowdReport {
  readonly rows: readonly CrowdRow[]
  /** The rate of payers next to the stranger, as a share of their rate alone, and how many of their calls were refused. */
  readonly crowded: number
  readonly refused: number
  /** The rate with 4,000 connections as a share of that with 400. */
  readonly many: number
}

/**
 * Payers next to a stranger with 4,000 connections, then payers with 400 and with 4,000 connections. Both states of a pair take turns
 * every few seconds, so that a busy machine slows down both alike.
 */
export async function crowds(database: Database, rounds: number, settings = roomForStranger): Promise<CrowdReport> {
  const apiKeys = await createPayers(database)
  const port = await freePort()
  const gateway = await startGatewayProcess({ environment: await environmentFor(database, settings), port })
  const start = (options: Omit<CrowdOptions, 'port' | 'host'>) => startCrowd({ ...options, port, host })
  try {
    const few = await start({ connections: 16, from: ['127.0.0.1'], apiKeys })
    const stranger = await start({ connections: 4000, from: ['127.0.0.2'], apiKeys: [] })
    const alone = new Tally('16 paying, alone')
    const crowded = new Tally('16 paying, next to the stranger')
    const strange = new Tally('the stranger, 4,000 connections')
    for (let round = 0; round < rounds; round += 1) {
      await slice([few], [alone])
      await slice([few, stranger], [crowded, strange])
    }
    await Promise.all([few.stop(), stranger.stop()])

    const some = await start({ connections: 400, from: manyAddresses, apiKeys })
    const many = await start({ connections: 4000, from: manyAddresses, apiKeys })
    const [ofSome, ofMany] = [new Tally('400 paying'), new Tally('4,000 paying')]
    for (let round = 0; round < rounds; round += 1) {
      await slice([some], [ofSome])
      await slice([many], [ofMany])
    }
    await Promise.all([some.stop(), many.stop()])
    return {
      rows: [alone, crowded, strange, ofSome, ofMany].map((tally) => tally.row()),
      crowded: crowded.rate() / alone.rate(),
      refused: crowded.refused(),
      many: ofMany.rate() / ofSome.rate(),
    }
  } finally {
    await gateway.kill()
  }
}

/** One address may open fewer by default. */
const roomForStranger = { maxConnectionsPerRequester: 4096 }

const sliceMs = 2000
/** After a switch, until the requests of the paused crowd are answered. */
const settleMs = 1000

/** Lets the crowds call for a while. */
async function slice(crowds: readonly Crowd[], tallies: readonly Tally[]): Promise<void> {
  for (const crowd of crowds) crowd.tell('resume')
  await delay(settleMs)
  await Promise.all(crowds.map((crowd) => crowd.figures()))
  const startedAt = performance.now()
  await delay(sliceMs)
  const figures = await Promise.all(crowds.map((crowd) => crowd.figures()))
  for (const [index, tally] of tallies.entries()) tally.add(figures[index]!, performance.now() - startedAt)
  for (const crowd of crowds) crowd.tell('pause')
  await delay(settleMs)
}

interface Crowd {
  tell(message: CrowdMessage): void
  figures(): Promise<CrowdFigures>
  stop(): Promise<void>
}

/** Paused once its connections are open, as far as the gateway lets it. */
async function startCrowd(options: CrowdOptions): Promise<Crowd> {
  const child: ChildProcess = fork(client, { stdio: 'inherit' })
  child.send(options)
  const tell = (message: CrowdMessage) => void child.send(message)
  async function figures(): Promise<CrowdFigures> {
    const response = once(child, 'message')
    tell('figures')
    return (await response)[0] as CrowdFigures
  }
  tell('pause')
  for (const giveUpAt = performance.now() + openMs; performance.now() < giveUpAt; await delay(200))
    if ((await figures()).open >= options.connections) break
  return {
    tell,
    figures,
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

const openMs = 15_000

class Tally {
  readonly what: string
  #served = 0
  #refused = 0
  #closed = 0
  #elapsedMs = 0
  readonly #latenciesMs: number[] = []

  constructor(what: string) {
    this.what = what
  }

  add({ statuses, closed, latenciesMs }: CrowdFigures, elapsedMs: number): void {
    this.#served += statuses[200] ?? 0
    this.#refused += latenciesMs.length - (statuses[200] ?? 0)
    this.#closed += closed
    this.#elapsedMs += elapsedMs
    for (const ms of latenciesMs) this.#latenciesMs.push(ms)
  }

  rate = () => this.#served / this.#elapsedMs
  refused = () => this.#refused

  row(): CrowdRow {
    const sorted = this.#latenciesMs.toSorted((a, b) => a - b)
    const quantile = (q: number) => Math.round(sorted[Math.floor(q * (sorted.length - 1))] ?? 0)
    const perSecond = (count: number) => Math.round(count / (this.#elapsedMs / 1000))
    return {
      what: this.what,
      servedPerSecond: perSecond(this.#served),
      refusedPerSecond: perSecond(this.#refused),
      closed: this.#closed,
      p50Ms: quantile(0.5),
      p99Ms: quantile(0.99),
      slowestMs: quantile(1),
    }
  }
}

async function createPayers(database: Database): Promise<string[]> {
  const store = await openDatabase(database)
  const rig = createRig(store)
  const customers = await Promise.all(Array.from({ length: payers }, () => createCustomer(rig)))
  for (const { projectId } of customers) await addCredits(rig, projectId, 10_000_000)
  await store.close()
  return customers.map(({ apiKey }) => apiKey)
}

export async function environmentFor({ databaseUrl, dataDir }: Database, server: object, more: object = {}) {
  const file = join(dataDir, 'crowds.json')
  const many = { max: 1_000_000, windowSeconds: 60 }
  await writeFile(file, JSON.stringify({ limits: { callsPerKey: many, refusalsPerKey: many }, server, ...more }))
  return {
    GATEWAY_ORIGIN: origin,
    GATEWAY_DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    GATEWAY_SECRET: 'the secret of the crowds, 32 bytes or more',
    GATEWAY_CONFIG: file,
  }
}
