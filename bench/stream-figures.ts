import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { scopes } from '../src/contract/prices.ts'
import { origin } from '../testkit/gateway/gateway.ts'
import { startGatewayProcess } from '../testkit/gateway/gateway-process.ts'
import { freePort } from '../testkit/http/free-port.ts'
import { openDatabase } from '../testkit/store/engines.ts'
import { addCredits, createCustomer, createRig } from '../testkit/store/rig.ts'
import { cpuSeconds, processTree, residentMb } from './process-usage.ts'
import { fixed, number, table, verdict } from './report/table.ts'
import { startServer } from './server-process.ts'
import { median, percentile } from './statistics.ts'

const openStreams = 1000
const streamsPerKey = 50
const burstParts = 4000
const burstStreams = 8
const burstRounds = 4
const host = new URL(origin).host
const file = (name: string) => fileURLToPath(new URL(`./servers/${name}.ts`, import.meta.url))

interface Target {
  readonly port: number
  readonly pids: readonly number[]
}

export interface StreamFigures {
  readonly firstPartMs: { readonly relay: number; readonly gateway: number }
  /** Parts relayed for each second of CPU time. */
  readonly partsPerCpuSecond: { readonly relay: number; readonly gateway: number }
  /** Added by the open streams. */
  readonly openStreamsMb: number
  /** Of a paying client that does not stream, in ms. */
  readonly p99: { readonly alone: number; readonly withSlowReaders: number }
}

/** What streams cost, against a relay that keeps no books. */
export async function streamFigures(): Promise<StreamFigures> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-stream-figures-'))
  const upstreamPort = await freePort()
  const upstreamUrl = `http://127.0.0.1:${upstreamPort}`
  const plain = (name: string, port: number, ...args: string[]) =>
    startServer({
      name,
      command: process.execPath,
      args: [file(name), String(port), ...args],
      readyUrl: `http://127.0.0.1:${port}/`,
    })
  const upstream = await plain('stream-upstream', upstreamPort)
  const relayPort = await freePort()
  const relayProcess = await plain('stream-relay', relayPort, upstreamUrl)
  const [apiKey, ...keys] = await createPayer(dataDir)
  const gatewayProcess = await startGatewayProcess({
    port: await freePort(),
    environment: { ...(await environmentFor(dataDir, upstreamUrl)), LOG_LEVEL: 'info' },
  })
  const relay: Target = { port: relayPort, pids: [relayProcess.pid] }
  const gateway: Target = { port: gatewayProcess.port, pids: processTree(gatewayProcess.pid) }
  try {
    const first = { relay: [] as number[], gateway: [] as number[] }
    const both = [
      ['relay', relay],
      ['gateway', gateway],
    ] as const
    for (let round = 0; round < 220; round += 1) {
      for (const [name, target] of both) {
        const ms = await firstPart(target, apiKey)
        if (round >= 20) first[name].push(ms)
      }
    }
    const cpu = { relay: 0, gateway: 0 }
    // In turn, so that disturbances hit both alike.
    for (let round = 0; round < burstRounds; round += 1)
      for (const [name, target] of both) cpu[name] += await burstCpuSeconds(target, apiKey)
    const parts = burstRounds * burstStreams * burstParts
    const partsPerCpuSecond = { relay: parts / cpu.relay, gateway: parts / cpu.gateway }
    const alone = await payerP99(gateway, apiKey)
    const before = residentMb(gateway.pids) ?? 0
    const held = await openAll(gateway, keys.slice(0, keys.length / 2), 'hold')
    const openStreamsMb = (residentMb(gateway.pids) ?? 0) - before
    for (const socket of held) socket.destroy()
    const slow = await openAll(gateway, keys.slice(keys.length / 2), 'trickle')
    for (const socket of slow) socket.pause()
    const withSlowReaders = await payerP99(gateway, apiKey)
    for (const socket of slow) socket.destroy()
    return {
      firstPartMs: { relay: median(first.relay), gateway: median(first.gateway) },
      partsPerCpuSecond,
      openStreamsMb,
      p99: { alone, withSlowReaders },
    }
  } finally {
    await gatewayProcess.kill()
    await Promise.all([upstream.stop(), relayProcess.stop()])
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The figures as rows of the report. */
export function streamTable({ firstPartMs, partsPerCpuSecond, openStreamsMb, p99 }: StreamFigures): string {
  const share = partsPerCpuSecond.gateway / partsPerCpuSecond.relay
  const slower = p99.withSlowReaders / p99.alone
  const rows = [
    [
      'first part, ms later than through a bare relay',
      fixed(firstPartMs.gateway - firstPartMs.relay, 1),
      'a commit + 1',
    ],
    [
      'parts for each second of CPU, of the bare relay: at least 0.7',
      `${fixed(share, 2)} (${number(partsPerCpuSecond.gateway)} of ${number(partsPerCpuSecond.relay)})`,
      verdict(share >= 0.7),
    ],
    [`memory of ${number(openStreams)} open streams, MB`, fixed(openStreamsMb, 0), verdict(openStreamsMb <= 250)],
    [
      `p99 of a paying client next to ${number(openStreams)} slow readers, of its own alone`,
      `${fixed(slower, 2)} (${fixed(p99.withSlowReaders, 1)} of ${fixed(p99.alone, 1)} ms)`,
      verdict(slower < 2),
    ],
  ]
  return table(['streams on SQLite', 'measured', 'goal'], rows)
}

function send(socket: Socket, apiKey: string, prompt: string): void {
  const messages = [{ role: 'user', content: prompt }]
  const body = JSON.stringify({ model: 'fast', messages, stream: true })
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
}

/** Reads until this text has arrived, and returns everything. */
const until = (socket: Socket, text: string) =>
  new Promise<string>((resolve, reject) => {
    let seen = ''
    const read = (bytes: Buffer) => {
      seen += bytes.toString('latin1')
      if (!seen.includes(text)) return
      socket.off('data', read)
      resolve(seen)
    }
    socket.on('data', read).once('close', () => reject(new Error(`closed after ${seen.slice(0, 300)}`)))
  })

async function firstPart({ port }: Target, apiKey: string): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  const startedAt = performance.now()
  send(socket, apiKey, 'parts 2')
  await until(socket, 'a few words')
  const ms = performance.now() - startedAt
  socket.destroy()
  return ms
}

/** CPU time of a target while it passes on `burstParts` parts in each of several streams. */
async function burstCpuSeconds({ port, pids }: Target, apiKey: string): Promise<number> {
  const before = cpuSeconds(pids) ?? 0
  await Promise.all(
    Array.from({ length: burstStreams }, async () => {
      const socket = connect(port, '127.0.0.1')
      send(socket, apiKey, `parts ${burstParts}`)
      await new Promise<void>((resolve, reject) => {
        let tail = ''
        socket.on('data', (bytes: Buffer) => {
          tail = (tail + bytes.toString('latin1')).slice(-64)
          if (tail.includes('[DONE]')) resolve()
        })
        socket.once('close', () => reject(new Error('closed within a stream')))
      })
      socket.removeAllListeners('close').destroy()
    }),
  )
  return Math.max((cpuSeconds(pids) ?? 0) - before, 0.01)
}

async function openAll({ port }: Target, keys: readonly string[], prompt: string): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (const apiKey of keys) {
    const some = await Promise.all(
      Array.from({ length: streamsPerKey }, async () => {
        const socket = connect(port, '127.0.0.1')
        send(socket, apiKey, prompt)
        await until(socket, 'a few words')
        return socket.on('error', () => {})
      }),
    )
    sockets.push(...some)
  }
  return sockets
}

/** Four callers, one call after another. */
async function payerP99({ port }: Target, apiKey: string): Promise<number> {
  const times: number[] = []
  await delay(1000)
  const endAt = performance.now() + 6000
  let calls = 0
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (performance.now() < endAt) {
        const startedAt = performance.now()
        calls += 1
        const response = await request(`http://127.0.0.1:${port}/v1/models/chat`, {
          method: 'POST',
          headers: {
            host,
            authorization: `Bearer ${apiKey}`,
            'idempotency-key': `payer ${calls} ${startedAt}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ prompt: 'hello', provider: 'model_provider_a' }),
        })
        await response.body.text()
        if (response.statusCode !== 200) throw new Error(`a payer got ${response.statusCode}`)
        times.push(performance.now() - startedAt)
      }
    }),
  )
  return percentile(times, 99)
}

/** The first key is for calls; each of the others opens as many streams as one key may, once. */
async function createPayer(dataDir: string): Promise<[string, ...string[]]> {
  const store = await openDatabase({ databaseUrl: 'sqlite:', dataDir, remove: async () => {} })
  const rig = createRig(store)
  const { apiKey, projectId } = await createCustomer(rig)
  await addCredits(rig, projectId, 10_000_000)
  const more: string[] = []
  while (more.length < (2 * openStreams) / streamsPerKey) more.push((await rig.keys.create(projectId, scopes)).apiKey)
  await store.close()
  return [apiKey, ...more]
}

async function environmentFor(dataDir: string, upstreamUrl: string): Promise<Record<string, string>> {
  const path = join(dataDir, 'streams.json')
  const model = { adapter: 'openai', baseUrl: `${upstreamUrl}/v1`, models: { fast: 'bench' }, maxConcurrent: 4096 }
  await writeFile(
    path,
    JSON.stringify({
      models: { providers: { model_provider_b: { ...model, timeoutMs: 600_000 } } },
      server: { maxConnectionsPerRequester: 8192 },
      limits: { callsPerKey: { max: 10_000_000, windowSeconds: 60 } },
    }),
  )
  return {
    GATEWAY_ORIGIN: origin,
    GATEWAY_DATA_DIR: dataDir,
    DATABASE_URL: 'sqlite:',
    GATEWAY_SECRET: 'the secret of the bench, 32 bytes or more',
    GATEWAY_CONFIG: path,
  }
}
