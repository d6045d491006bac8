import { writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { origin } from '../gateway/gateway.ts'
import { type GatewayProcess, startGatewayProcess } from '../gateway/gateway-process.ts'
import { mediaFile } from '../gateway/media-customer.ts'
import { pollingEvery } from '../gateway/process-timing.ts'
import { freePort } from '../http/free-port.ts'
import { type Arrow, arrows, clip, type FakeMediaProvider, startMediaProvider } from '../providers/media-provider.ts'
import { type Database, openDatabase } from '../store/engines.ts'
import { addCredits, type Customer, createCustomer, createRig } from '../store/rig.ts'

export interface MediaStormOptions {
  readonly database: Database
  readonly instances: number
  readonly kills: number
  readonly onProgress?: (kills: number) => void
}

const prompts = [
  'a boat',
  'late-response',
  'lose-response',
  'lose-request',
  'garbled-response',
  'refuse',
  'fail',
  'waver',
  'flaky',
  'truncated',
  'late-clip',
  'forget',
  'lose-response no-search',
  'cancel hang',
  'cancel keep-going',
]
const longestWaitMs = 4000

/**
 * Media jobs on real processes that are killed with SIGKILL at every arrow between two states, in turn and at random moments,
 * against a provider that lies. Afterwards every job must have ended, once, together with its charge.
 */
export async function mediaStorm({ database, instances, kills, onProgress }: MediaStormOptions) {
  const provider = await startMediaProvider({ takesMs: 150 })
  const environment = await environmentFor(database, provider)
  const store = await openDatabase(database, { exclusive: false })
  const rig = createRig(store)
  const customer = await createCustomer(rig)
  await addCredits(rig, customer.projectId, 100_000)

  const killsBy: Record<string, number> = {}
  const running = new Map<number, GatewayProcess>()
  let killed = 0
  async function keepKilling(turn: number): Promise<void> {
    const port = await freePort()
    for (let round = turn; killed < kills; round += 1) {
      const gateway = await startGatewayProcess({ environment, port })
      running.set(port, gateway)
      const arrow = round % 8 === 7 ? null : arrows[round % arrows.length]!
      await (arrow ? arrival(provider, arrow) : delay(Math.random() * 500))
      running.delete(port)
      await gateway.kill()
      killed += 1
      killsBy[arrow ?? 'any'] = (killsBy[arrow ?? 'any'] ?? 0) + 1
      onProgress?.(killed)
    }
  }

  const traffic = startMediaTraffic(customer, () => [...running.keys()])
  await Promise.all(Array.from({ length: instances }, (_, turn) => keepKilling(turn * 3)))
  await traffic.stop()

  const port = await freePort()
  const last = await startGatewayProcess({ environment, port })
  await untilNoneIsOpen(store, (jobId) => traffic.cancel(port, jobId))
  const missing = await missingClips(store, customer, port)
  const exitCode = await last.terminate()
  const report = await reconcile(store)
  const states = await store.read((tx) =>
    tx.all<{ status: string; n: number }>(
      'SELECT status, COUNT(*) AS n FROM media_jobs GROUP BY status ORDER BY status',
    ),
  )
  await Promise.all([store.close(), provider.close(), traffic.close()])
  return {
    kills: killed,
    killsBy,
    submitted: provider.submitted.length,
    submittedTwice: provider.submitted.filter((reference, index, all) => all.indexOf(reference) !== index),
    states: Object.fromEntries(states.map(({ status, n }) => [status, n])),
    missing,
    report,
    exitCode,
  }
}

/** Resolves when a request of that kind arrives, or after a while. */
export async function arrival(provider: FakeMediaProvider, wanted: Arrow): Promise<void> {
  const arrived = new Promise<void>((resolve) => {
    const before = provider.onArrow
    provider.onArrow = (arrow, request) => {
      if (arrow === wanted) resolve()
      return before(arrow, request)
    }
  })
  await Promise.race([arrived, delay(longestWaitMs)])
}

/** Holds the first request of each kind, unanswered, until `release`. */
export function holdRequests(provider: FakeMediaProvider, kinds: readonly Arrow[]) {
  const held = new Map<Arrow, IncomingMessage>()
  const [all, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const before = provider.onArrow
  provider.onArrow = (arrow, request) => {
    if (!kinds.includes(arrow) || held.has(arrow)) return before(arrow, request)
    held.set(arrow, request)
    if (held.size === kinds.length) all.resolve()
    return released.promise
  }
  return {
    /** Resolves when one of each kind is held. */
    arrived: all.promise,
    /** Kinds whose sender still waits for the response. */
    waiting: () => kinds.filter((kind) => held.get(kind)?.socket.destroyed === false),
    release() {
      provider.onArrow = before
      released.resolve()
    },
  }
}

async function environmentFor(database: Database, provider: FakeMediaProvider): Promise<Record<string, string>> {
  const file = join(database.dataDir, 'media-storm.json')
  const many = { max: 1_000_000, windowSeconds: 60 }
  await writeFile(
    file,
    JSON.stringify({ ...mediaFile(provider), limits: { callsPerKey: many, mediaReadsPerKey: many } }),
  )
  return {
    ...pollingEvery(50, 200),
    GATEWAY_ORIGIN: origin,
    GATEWAY_DATA_DIR: database.dataDir,
    DATABASE_URL: database.databaseUrl,
    GATEWAY_SECRET: 'the secret of the storm, 32 bytes or more',
    GATEWAY_CONFIG: file,
  }
}

/** Creates jobs without pause, repeats half of what got no response, and cancels some. */
export function startMediaTraffic({ apiKey }: Customer, ports: () => readonly number[]) {
  const agent = new Agent({ connections: 16, headersTimeout: 20_000 })
  let isOn = true
  let number = 0
  const post = async (port: number, path: string, headers: Record<string, string>, body: object) => {
    const response = await request(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      dispatcher: agent,
      headers: {
        host: new URL(origin).host,
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    })
    return { status: response.statusCode, job: (await response.body.json()) as { jobId: string } }
  }
  const cancel = (port: number, jobId: string) => post(port, `/v1/media/jobs/${jobId}/cancel`, {}, {}).catch(() => null)
  const anyPort = async () => {
    for (;;) {
      const open = ports()
      if (open.length > 0 || !isOn) return open[Math.floor(Math.random() * open.length)]
      await delay(10)
    }
  }
  async function caller(): Promise<void> {
    while (isOn) {
      number += 1
      const prompt = prompts[number % prompts.length]!
      const key = { 'idempotency-key': `job ${number}` }
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const port = await anyPort()
        if (port === undefined) return
        const response = await post(port, '/v1/media/jobs', key, { prompt }).catch(() => null)
        if (response?.status === 202 && prompt.startsWith('cancel')) await cancel(port, response.job.jobId)
        if (response) break
      }
      await delay(15)
    }
  }
  const callers = Array.from({ length: 3 }, caller)
  return {
    async stop() {
      isOn = false
      await Promise.all(callers)
    },
    cancel,
    close: () => agent.destroy(),
  }
}

type OpenStore = Awaited<ReturnType<typeof openDatabase>>

/** Repeats cancellations that a kill lost: their jobs would run for ever. */
export async function untilNoneIsOpen(store: OpenStore, cancel: (jobId: string) => Promise<unknown>): Promise<void> {
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 500) {
    const open = await store.read((tx) =>
      tx.all<{ jobId: string; prompt: string; status: string }>(
        'SELECT job_id AS "jobId", prompt, status FROM media_jobs WHERE finished_at IS NULL',
      ),
    )
    if (open.length === 0) return
    for (const { jobId, prompt } of open) if (prompt.startsWith('cancel')) await cancel(jobId)
    await delay(500)
    if (waitedMs > 59_000) throw new Error(`jobs stayed open: ${JSON.stringify(open)}`)
  }
}

/** Settled jobs whose clip cannot be fetched. */
export async function missingClips(store: OpenStore, { apiKey }: Customer, port: number): Promise<string[]> {
  const jobs = await store.read((tx) =>
    tx.all<{ id: string }>(`SELECT j.job_id AS id FROM media_jobs j JOIN charges c ON c.charge_id = j.charge_id
      WHERE c.state = 'settled'`),
  )
  const missing: string[] = []
  for (const { id } of jobs) {
    const response = await request(`http://127.0.0.1:${port}/v1/media/jobs/${id}/content`, {
      headers: { host: new URL(origin).host, authorization: `Bearer ${apiKey}` },
    })
    const bytes = await response.body.arrayBuffer()
    if (response.statusCode !== 200 || bytes.byteLength !== clip.length) missing.push(id)
  }
  return missing
}
