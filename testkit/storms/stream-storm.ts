import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { origin } from '../gateway/gateway.ts'
import { type GatewayProcess, startGatewayProcess } from '../gateway/gateway-process.ts'
import { askAndReset, type OpenStream, openStreamAt } from '../gateway/openai-caller.ts'
import { freePort } from '../http/free-port.ts'
import { done, event, goodEvents, goodStream, part, type StreamEnd, streams } from '../providers/streams.ts'
import { type Behaviour, behaves, startUpstream } from '../providers/upstream.ts'
import { type Database, openDatabase } from '../store/engines.ts'
import { addCredits, createCustomer, createRig } from '../store/rig.ts'
import { Random } from './random.ts'

export interface StreamStormOptions {
  readonly database: Database
  /** Calls in all. */
  readonly runs: number
  /** SIGKILLs spread over them. */
  readonly kills: number
  readonly seed?: number
  readonly onProgress?: (runs: number) => void
}

/** What the upstream does, and whether it finishes a response that kept the contract until then. */
interface Lie {
  /** It takes its time, so that a caller can give up before it gets a response. */
  readonly isSlow?: boolean
  readonly behaviour: Behaviour
  readonly finishes: boolean
  /** Its charge is released, so a repeat is a new call. */
  readonly releases?: boolean
}

const slowMs = 200
const endAt = Buffer.byteLength(goodEvents.slice(0, 4).join(''))
const invalid = Buffer.concat([Buffer.from(part({ content: 'a' })), Buffer.from([0x64, 0xff, 0x0a, 0x0a])])
const lie = (text: string | Buffer, finishes: boolean, end: StreamEnd = 'complete'): Lie => ({
  behaviour: streams(text, end),
  finishes,
})

const released = (behaviour: Behaviour): Lie => ({ behaviour, finishes: false, releases: true })

function lieOf(random: Random): Lie {
  return random.weighted<() => Lie>([
    [4, () => lie(goodStream, true)],
    [
      6,
      () => {
        const at = random.below(Buffer.byteLength(goodStream) + 1)
        return lie(Buffer.from(goodStream).subarray(0, at), at >= endAt, 'cut')
      },
    ],
    [1, () => lie(part({ content: 'a' }), false, 'hang')],
    [1, () => released(streams(goodEvents.slice(0, random.below(3)).join('') + event({ error: { message: 'x' } })))],
    [1, () => lie(part({ content: 'a' }) + done, false)],
    [1, () => lie(goodStream.replace(done, ''), true, 'hang')],
    [1, () => lie(goodEvents.slice(0, 4).join(''), true, 'cut')],
    [1, () => lie(goodEvents.slice(0, 4).join('') + part({}, 'length') + done, true)],
    [1, () => lie(goodStream + part({ content: 'late' }), true)],
    [1, () => lie(event({ choices: [], usage: null }) + goodStream, true)],
    [1, () => released(streams(part({ content: 'x'.repeat(2_097_152) })))],
    [1, () => released(streams(invalid))],
    [1, () => released(behaves.respond(200, '<html>', { 'content-type': 'text/html' }))],
    [1, () => ({ behaviour: behaves.reset(), finishes: false })],
    [1, () => released(behaves.respond(500))],
  ])()
}

/**
 * Streams from an upstream that lies to callers that leave, reset, do not read, and repeat as `openai` does, on a gateway that is
 * stopped for moments and killed. Afterwards every charge must have ended as its stream did.
 */
export async function streamStorm({ database, runs, kills, seed = 1, onProgress }: StreamStormOptions) {
  const lies = new Map<string, Lie>()
  const calls = new Map<string, number>()
  const upstream = await startUpstream((wire, call) => {
    const intent: string = JSON.parse(call.body).messages[0].content
    calls.set(intent, (calls.get(intent) ?? 0) + 1)
    const { behaviour, isSlow } = lies.get(intent)!
    if (isSlow) setTimeout(() => behaviour(wire, call), slowMs)
    else behaviour(wire, call)
  })
  const environment = await environmentFor(database, upstream.url)
  const store = await openDatabase(database, { exclusive: false })
  const rig = createRig(store)
  const customer = await createCustomer(rig)
  await addCredits(rig, customer.projectId, 1_000_000)

  let gateway: GatewayProcess | null = await startGatewayProcess({ environment, port: await freePort() })
  let finished = 0
  let started = 0
  let resets = 0
  let killed = 0

  async function keepKilling(): Promise<void> {
    while (killed < kills) {
      const next = ((killed + 1) * runs) / (kills + 1)
      while (finished < next && finished < runs) await delay(5)
      const dying = gateway!
      gateway = null
      await dying.kill()
      killed += 1
      gateway = await startGatewayProcess({ environment, port: await freePort() })
    }
  }

  /** A stopped process finds requests, their ends and responses of the upstream all at once when it goes on. */
  async function keepPausing(random: Random): Promise<void> {
    while (finished < runs) {
      await delay(300 + random.below(1200))
      const paused = gateway
      paused?.pause()
      await delay(random.below(900))
      paused?.resume()
    }
  }

  const bodyOf = (intent: string) => ({ model: 'fast', messages: [{ role: 'user', content: intent }] })

  type Headers = Record<string, string>

  async function open(intent: string, headers: Headers, giveUpMs?: number): Promise<OpenStream | null> {
    while (!gateway) await delay(5)
    const body = bodyOf(intent)
    const signal = giveUpMs === undefined ? undefined : AbortSignal.timeout(giveUpMs)
    return openStreamAt(gateway.port, customer.apiKey, body, headers, signal).catch(() => null)
  }

  /** Resets the connection before the first byte of the response, or in the middle of it. */
  async function reset(intent: string, headers: Headers, random: Random): Promise<void> {
    while (!gateway) await delay(5)
    const when = random.below(2) === 0 ? 'in the middle' : random.below(30)
    await askAndReset(gateway.port, customer.apiKey, bodyOf(intent), { headers, when })
    resets += 1
  }

  /** Whether the caller got a response, good or bad, so that it would not repeat the call. */
  async function read(stream: OpenStream | null, random: Random): Promise<boolean> {
    if (!stream) return false
    const way = random.below(4)
    if (way === 0) return stream.leave().then(() => true)
    if (way === 1) {
      stream.pause()
      await delay(random.below(20))
      stream.resume()
    }
    const text = await stream.rest()
    return stream.status !== 200 || text.includes('[DONE]') || text.includes('"error"')
  }

  async function caller(random: Random): Promise<void> {
    while (started < runs) {
      started += 1
      const intent = `intent ${started} of ${seed}`
      const isSlow = random.below(8) === 0
      lies.set(intent, { ...lieOf(random), isSlow })
      // The gateway may have sent all before the reset, so only a key says that the repeat is one.
      const resetting = random.weighted([
        [13, 'no'],
        [1, 'with a key'],
        [1, 'and gives up'],
      ] as const)
      const key: Headers = resetting === 'with a key' ? { 'idempotency-key': intent } : {}
      if (resetting !== 'no') await reset(intent, key, random)
      for (let repeats = 0; repeats < 6 && resetting !== 'and gives up'; repeats += 1) {
        // `openai` waits half a second before it repeats a call.
        if (repeats > 0) await delay(500)
        const giveUpMs = isSlow && repeats === 0 ? slowMs / 2 : undefined
        const headers = { ...key, 'x-stainless-retry-count': String(repeats) }
        if (await read(await open(intent, headers, giveUpMs), random)) break
      }
      finished += 1
      onProgress?.(finished)
    }
  }

  const callers = Array.from({ length: 8 }, (_, index) => caller(new Random(seed * 1000 + index)))
  await Promise.all([...callers, keepKilling(), keepPausing(new Random(seed))])
  const reserved = () =>
    store.read((tx) => tx.get<{ n: number }>("SELECT COUNT(*) AS n FROM charges WHERE state = 'reserved'"))
  for (let waitedMs = 0; (await reserved())!.n > 0 && waitedMs < 60_000; waitedMs += 100) await delay(100)
  const exitCode = await gateway!.terminate()
  const states = await store.read((tx) =>
    tx.all<{ state: string; n: number }>('SELECT state, COUNT(*) AS n FROM charges GROUP BY state ORDER BY state'),
  )
  const reviews = await store.read((tx) =>
    tx.all<{ reason: string; n: number }>(
      "SELECT reason, COUNT(*) AS n FROM charges WHERE state = 'manual_review' GROUP BY reason ORDER BY reason",
    ),
  )
  const report = await reconcile(store)
  await Promise.all([store.close(), upstream.close()])
  const called = [...calls].filter(([intent]) => lies.get(intent)!.finishes)
  return {
    runs,
    resets,
    kills: killed,
    states: Object.fromEntries(states.map(({ state, n }) => [state, n])) as Record<string, number>,
    reviews: Object.fromEntries(reviews.map(({ reason, n }) => [reason, n])) as Record<string, number>,
    /** Streams that finished and kept the contract until then. Kills may have kept the gateway from reading their end. */
    finishes: called.length,
    calledTwice: [...calls]
      .filter(([intent, times]) => times > 1 && !lies.get(intent)!.releases)
      .map(([intent]) => intent),
    report,
    exitCode,
  }
}

async function environmentFor(database: Database, upstreamUrl: string): Promise<Record<string, string>> {
  const file = join(database.dataDir, 'stream-storm.json')
  // Far above what a busy machine delays a response: one that is late would end in review, although its stream finishes.
  const timeoutMs = 4000
  const model = { adapter: 'openai', baseUrl: `${upstreamUrl}/v1`, models: { fast: 'upstream-fast' }, timeoutMs }
  const many = { max: 1_000_000, windowSeconds: 60 }
  await writeFile(
    file,
    JSON.stringify({
      models: {
        default: 'model_provider_b',
        providers: { model_provider_b: { ...model, breaker: { failures: 1000 } } },
      },
      limits: { callsPerKey: many },
    }),
  )
  return {
    GATEWAY_ORIGIN: origin,
    GATEWAY_DATA_DIR: database.dataDir,
    DATABASE_URL: database.databaseUrl,
    GATEWAY_SECRET: 'the secret of the storm, 32 bytes or more',
    GATEWAY_CONFIG: file,
  }
}
