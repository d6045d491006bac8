import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { type Report, reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { origin } from '../gateway/gateway.ts'
import { startGatewayProcess } from '../gateway/gateway-process.ts'
import { freePort } from '../http/free-port.ts'
import { goodProvider } from '../providers/good-provider.ts'
import { startUpstream } from '../providers/upstream.ts'
import { type Database, openDatabase } from '../store/engines.ts'
import { addCredits, createCustomer, createRig } from '../store/rig.ts'
import type { AttackOptions } from './attackers.ts'

export type Attackers = Pick<AttackOptions, 'seconds' | 'pipeliners' | 'nonReaders' | 'giants' | 'callers'>

export interface FloodReport {
  /** How many responses of each status the watched client got. */
  readonly statuses: Readonly<Record<number, number>>
  /** How long its calls took, sorted. */
  readonly latenciesMs: readonly number[]
  /** The largest resident memory of the gateway. */
  readonly peakMemoryMb: number
  readonly shed: number
  readonly reviews: number
  readonly reconciled: Report
}

const watchedClients = 4
const attackersFile = fileURLToPath(new URL('./attackers.ts', import.meta.url))

/** A paying client calls one provider after the other while attackers hit the same gateway. */
export async function flood(database: Database, attackers: Attackers): Promise<FloodReport> {
  await using upstream = await startUpstream((wire, call) => {
    setTimeout(() => !wire.destroyed && goodProvider(wire, call), providerMs)
  })
  const [payer, attacker] = await createPayers(database)
  const [port, operatorPort] = [await freePort(), await freePort()]
  const environment = await environmentFor(database, upstream.url, operatorPort)
  const gateway = await startGatewayProcess({ environment, port })
  const attack = startAttack({ ...attackers, port, host: new URL(origin).host, apiKey: attacker.apiKey })
  const agent = new Agent({ connections: watchedClients, headersTimeout: 60_000 })
  const statuses: Record<number, number> = {}
  const latenciesMs: number[] = []

  async function callOn(name: number): Promise<void> {
    for (let made = 0; attack.isOn(); made += 1) {
      const startedAt = performance.now()
      const { statusCode, body } = await request(`http://127.0.0.1:${port}/v1/models/chat`, {
        method: 'POST',
        dispatcher: agent,
        headers: {
          host: new URL(origin).host,
          'content-type': 'application/json',
          authorization: `Bearer ${payer.apiKey}`,
          'idempotency-key': `watched ${name} ${made}`,
        },
        body: JSON.stringify({ prompt: '你好', provider: 'model_provider_b' }),
      })
      await body.dump()
      latenciesMs.push(performance.now() - startedAt)
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
      if (statusCode !== 200) await delay(backoffMs)
    }
  }

  await Promise.all(Array.from({ length: watchedClients }, (_, name) => callOn(name)))
  await attack.exited
  const metrics = await (await request(`http://127.0.0.1:${operatorPort}/metrics`)).body.text()
  const peakMemoryMb = peakMemoryOf(gateway.pid)
  await gateway.terminate()
  await agent.destroy()

  const store = await openDatabase(database)
  const reconciled = await reconcile(store)
  const reviews = await store.read((tx) =>
    tx.get<{ n: number }>("SELECT COUNT(*) AS n FROM charges WHERE state = 'manual_review'"),
  )
  await store.close()
  return {
    statuses,
    latenciesMs: latenciesMs.sort((a, b) => a - b),
    peakMemoryMb,
    shed: sumOf(metrics, 'gateway_requests_shed_total'),
    reviews: reviews!.n,
    reconciled,
  }
}

const providerMs = 20
const backoffMs = 50

async function createPayers(database: Database) {
  const store = await openDatabase(database)
  const rig = createRig(store)
  const customers = await Promise.all([createCustomer(rig), createCustomer(rig)])
  for (const { projectId } of customers) await addCredits(rig, projectId, 1_000_000)
  await store.close()
  return customers as [(typeof customers)[0], (typeof customers)[0]]
}

async function environmentFor(database: Database, upstreamUrl: string, operatorPort: number) {
  const file = join(database.dataDir, 'flood.json')
  const provider = { adapter: 'openai', baseUrl: upstreamUrl, models: { fast: 'fast' }, timeoutMs: 2000 }
  const many = { max: 1_000_000, windowSeconds: 60 }
  const limits = { callsPerKey: many, refusalsPerKey: many }
  await writeFile(file, JSON.stringify({ models: { providers: { model_provider_b: provider } }, limits }))
  return {
    GATEWAY_ORIGIN: origin,
    GATEWAY_DATA_DIR: database.dataDir,
    DATABASE_URL: database.databaseUrl,
    GATEWAY_OPERATOR_LISTEN: `127.0.0.1:${operatorPort}`,
    GATEWAY_SECRET: 'the secret of the flood, 32 bytes or more',
    GATEWAY_CONFIG: file,
  }
}

function startAttack(options: AttackOptions) {
  const child = spawn(process.execPath, [attackersFile, JSON.stringify(options)], { stdio: 'inherit' })
  const exited = once(child, 'exit')
  return { exited, isOn: () => child.exitCode === null }
}

const peakMemoryOf = (pid: number) =>
  Math.round(Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024)

const sumOf = (metrics: string, name: string) =>
  [...metrics.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\d+)$`, 'gm'))].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )
