import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { request } from 'undici'
import type { Customer } from '../../testkit/store/rig.ts'
import type { LoadPlan } from '../load/load.ts'
import { type ChatResponse, chatRequest, completion, creditsPerCall } from '../workload.ts'
import { type Contestant, judgeJson, type Tally } from './contestant.ts'
import { type GatewayServer, startGateway, statusesOf } from './gateway-server.ts'
import { addCustomers, type Expected, faultsOfStore, type Store } from './store.ts'

/** Billable calls, submissions of media jobs, replays of stored responses, calls without credits, or the public price list. */
type Ask = 'call' | 'media' | 'replay' | 'refusal' | 'pricing'

export interface Scenario {
  readonly id: string
  readonly name: string
  readonly ask: Ask
  readonly engine: 'sqlite' | 'postgres'
  readonly adapter: 'local' | 'http'
  /** Every key has one. */
  readonly hasBudgets?: boolean
}

export const scenarios: readonly Scenario[] = [
  { id: 'local-sqlite', name: 'billable call, local adapter, SQLite', ask: 'call', engine: 'sqlite', adapter: 'local' },
  {
    id: 'local-postgres',
    name: 'billable call, local adapter, PostgreSQL',
    ask: 'call',
    engine: 'postgres',
    adapter: 'local',
  },
  {
    id: 'budget-sqlite',
    name: 'billable call with a budget on every key, SQLite',
    ask: 'call',
    engine: 'sqlite',
    adapter: 'local',
    hasBudgets: true,
  },
  {
    id: 'budget-postgres',
    name: 'billable call with a budget on every key, PostgreSQL',
    ask: 'call',
    engine: 'postgres',
    adapter: 'local',
    hasBudgets: true,
  },
  { id: 'relay-sqlite', name: 'billable call, HTTP relay, SQLite', ask: 'call', engine: 'sqlite', adapter: 'http' },
  {
    id: 'relay-postgres',
    name: 'billable call, HTTP relay, PostgreSQL',
    ask: 'call',
    engine: 'postgres',
    adapter: 'http',
  },
  {
    id: 'media-sqlite',
    name: 'media submission, local adapter, SQLite',
    ask: 'media',
    engine: 'sqlite',
    adapter: 'local',
  },
  {
    id: 'media-postgres',
    name: 'media submission, local adapter, PostgreSQL',
    ask: 'media',
    engine: 'postgres',
    adapter: 'local',
  },
  { id: 'replay', name: 'replay of a stored answer, SQLite', ask: 'replay', engine: 'sqlite', adapter: 'local' },
  {
    id: 'refusal',
    name: 'refusal for want of credits (402), SQLite',
    ask: 'refusal',
    engine: 'sqlite',
    adapter: 'local',
  },
  { id: 'pricing', name: 'GET /v1/pricing', ask: 'pricing', engine: 'sqlite', adapter: 'local' },
]

export interface Surroundings {
  readonly workDir: string
  readonly upstreamOrigin: string
  /** A fresh database of that name. */
  readonly postgresDatabase: (name: string) => Promise<string>
  readonly postgresProcesses: () => readonly number[]
  readonly logFile: string | null
  /** The folder of another build of the gateway. */
  readonly build?: string
}

const projects = 64
/** A million credits per project: more than hours of load can spend. */
const ordersPerProject = 10
const storedPerProject = 16
const storedPrefix = 'stored-'

/** The gateway in its own process, with its own store and paying customers. */
export async function startGatewayContestant(scenario: Scenario, around: Surroundings): Promise<Contestant> {
  const { id, name, ask, engine, adapter, hasBudgets = false } = scenario
  const store: Store = {
    dataDir: await mkdtemp(join(around.workDir, `${id}-`)),
    databaseUrl: engine === 'sqlite' ? 'sqlite:' : await around.postgresDatabase(id.replaceAll('-', '_')),
  }
  const orders = ask === 'refusal' ? 0 : ordersPerProject
  const customers = await addCustomers(store, { count: projects, orders, hasBudgets })
  const gateway = await startGateway({
    store,
    ...(adapter === 'http' && { upstreamOrigin: around.upstreamOrigin }),
    ...(around.logFile && { logFile: around.logFile }),
    ...(around.build && { build: around.build }),
  })
  if (ask === 'replay') await storeResponses(gateway, customers)
  return {
    id,
    name,
    group: 'ours',
    status: statusOf(ask),
    plan: (run) => planOf(ask, gateway.origin, customers, run),
    judge: judgeOf(scenario),
    processes: () => [gateway.pid],
    databaseProcesses: () => (engine === 'postgres' ? around.postgresProcesses() : []),
    metrics: gateway.metrics,
    finish: (tally) => finish(gateway, store, ask, tally),
  }
}

const statusOf = (ask: Ask) => (({ call: 200, media: 202, replay: 200, refusal: 402, pricing: 200 }) as const)[ask]

function planOf(ask: Ask, origin: string, customers: readonly Customer[], run: string): LoadPlan {
  const isPricing = ask === 'pricing'
  return {
    origin,
    method: isPricing ? 'GET' : 'POST',
    path: isPricing ? '/v1/pricing' : ask === 'media' ? '/v1/media/jobs' : '/v1/models/chat',
    headers: isPricing ? {} : { 'Content-Type': 'application/json' },
    body: isPricing ? null : chatRequest,
    bearers: customers.map(({ apiKey }) => apiKey),
    intents:
      ask === 'replay' ? { prefix: storedPrefix, stored: storedPerProject } : { prefix: `${run}-`, stored: null },
  }
}

function judgeOf({ ask, adapter }: Scenario): (body: string) => string | null {
  if (ask === 'pricing') return judgeJson<{ operations: object[] }>(({ operations }) => operations.length === 9)
  if (ask === 'refusal')
    return judgeJson<{ error: { code: string } }>(({ error }) => error.code === 'INSUFFICIENT_PAID_CREDITS')
  if (ask === 'media')
    return judgeJson<{ status: string; reservedCredits: number }>(
      ({ status, reservedCredits }) => status === 'queued' && reservedCredits > 0,
    )
  const upstreamText = completion.choices[0]!.message.content
  return judgeJson<ChatResponse>(
    ({ status, chargedCredits, data }) =>
      status === 'settled' &&
      chargedCredits === creditsPerCall &&
      (adapter === 'http' ? data.output === upstreamText : data.output.includes('You wrote')),
  )
}

async function storeResponses({ origin }: GatewayServer, customers: readonly Customer[]): Promise<void> {
  for (const { apiKey } of customers)
    for (let number = 1; number <= storedPerProject; number += 1) {
      const { statusCode, body } = await request(`${origin}/v1/models/chat`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${apiKey}`,
          'idempotency-key': storedPrefix + number,
        },
        body: chatRequest,
      })
      await body.dump()
      if (statusCode !== 200) throw new Error(`a response to be replayed was refused with ${statusCode}`)
    }
}

async function finish(gateway: GatewayServer, store: Store, ask: Ask, responses: Tally): Promise<string[]> {
  const faults = faultsOfStatuses(await gateway.metrics(), ask)
  const exitCode = await gateway.stop()
  if (exitCode !== 0) faults.push(`the gateway ended with exit code ${exitCode}`)
  return [...faults, ...(await faultsOfStore(store, expectedCharges(ask, responses)))]
}

function expectedCharges(ask: Ask, responses: Tally): Expected {
  if (ask === 'call') return { responses, before: 0 }
  if (ask === 'media') return { jobs: responses }
  return { charges: ask === 'replay' ? projects * storedPerProject : 0 }
}

function faultsOfStatuses(metrics: string, ask: Ask): string[] {
  const right = String(statusOf(ask))
  const operations = { pricing: 'pricing.get', media: 'media.jobs.create' } as Record<Ask, string | undefined>
  const statuses = statusesOf(metrics, operations[ask] ?? 'model.chat')
  if (!statuses.has(right)) return [`no response with status ${right} in /metrics`]
  return [...statuses].filter(([status]) => status !== right).map(([status, count]) => `${count} responses ${status}`)
}
