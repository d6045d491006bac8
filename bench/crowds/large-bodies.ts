import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { origin } from '../../testkit/gateway/gateway.ts'
import { startGatewayProcess } from '../../testkit/gateway/gateway-process.ts'
import { freePort } from '../../testkit/http/free-port.ts'
import { requestText } from '../../testkit/http/reset-request.ts'
import { type Database, openDatabase } from '../../testkit/store/engines.ts'
import { addCredits, createCustomer, createRig } from '../../testkit/store/rig.ts'
import { median } from '../statistics.ts'
import { environmentFor } from './crowds.ts'

const { host } = new URL(origin)
const senders = 90
const announcedBytes = 1_000_000
const byteEveryMs = 1000
const sliceMs = 3000
const large = JSON.stringify({ model: 'local-small', messages: [{ role: 'user', content: 'x'.repeat(100_000) }] })
const model = { adapter: 'local', models: ['local-small'], maxPromptChars: 200_000 }

export interface LargeBodiesReport {
  readonly calls: number
  readonly calmMs: number
  readonly crowdedMs: number
  /** Of calls next to the crowd, that were not answered with 200. */
  readonly refused: number
}

/** A tenant with bodies of 100 KB, alone and next to two accounts without a credit that send large bodies at a byte a second. */
export async function largeBodies(database: Database, rounds: number): Promise<LargeBodiesReport> {
  const [payer, ...crowd] = await createTenants(database)
  const port = await freePort()
  const environment = await environmentFor(database, {}, { models: { providers: { model_provider_a: model } } })
  const gateway = await startGatewayProcess({ environment, port })
  const agent = new Agent({ connections: 1, headersTimeout: 60_000 })
  const latencies: Record<'calm' | 'crowded', number[]> = { calm: [], crowded: [] }
  let refused = 0

  async function call(): Promise<number> {
    const startedAt = performance.now()
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      dispatcher: agent,
      headers: { host, authorization: `Bearer ${payer}`, 'content-type': 'application/json' },
      body: large,
    })
    await body.dump()
    if (statusCode !== 200) refused += 1
    return performance.now() - startedAt
  }

  async function slice(seen: number[]): Promise<void> {
    for (const endsAt = performance.now() + sliceMs; performance.now() < endsAt; ) seen.push(await call())
  }

  try {
    await call()
    for (let round = 0; round < rounds; round += 1) {
      await slice(latencies.calm)
      const stop = startSenders(port, crowd)
      await delay(byteEveryMs)
      await slice(latencies.crowded)
      stop()
    }
  } finally {
    await agent.destroy()
    await gateway.kill()
  }
  const { calm, crowded } = latencies
  return { calls: calm.length + crowded.length, calmMs: median(calm), crowdedMs: median(crowded), refused }
}

/** Half of them look like repeats, which a project without credits may send. */
function startSenders(port: number, apiKeys: readonly string[]): () => void {
  const sockets = new Set<Socket>()
  let isOn = true
  let sent = 0
  function open(index: number): void {
    if (!isOn) return
    sent += 1
    const headers = {
      host,
      authorization: `Bearer ${apiKeys[index % apiKeys.length]}`,
      'content-type': 'application/json',
      'content-length': String(announcedBytes),
      ...(index % 4 < 2 && { 'idempotency-key': `slow ${sent}` }),
    }
    const socket = connect(port, '127.0.0.1', () => socket.write(requestText('POST', '/v1/chat/completions', headers)))
    sockets.add(socket)
    socket.on('error', () => {}).resume()
    const timer = setInterval(() => socket.write('{'), byteEveryMs)
    socket.once('close', () => {
      clearInterval(timer)
      sockets.delete(socket)
      setTimeout(() => open(index), byteEveryMs)
    })
  }
  for (let index = 0; index < senders; index += 1) open(index)
  return () => {
    isOn = false
    for (const socket of sockets) socket.destroy()
  }
}

/** The keys of one with credits and of two without. */
async function createTenants(database: Database): Promise<string[]> {
  const store = await openDatabase(database)
  const rig = createRig(store)
  const tenants = [await createCustomer(rig), await createCustomer(rig), await createCustomer(rig)]
  await addCredits(rig, tenants[0]!.projectId, 10_000_000)
  await store.close()
  return tenants.map(({ apiKey }) => apiKey)
}
