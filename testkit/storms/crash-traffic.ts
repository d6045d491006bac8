import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { origin } from '../gateway/gateway.ts'
import { requestText, sendAndReset } from '../http/reset-request.ts'
import type { Customer } from '../store/rig.ts'

/** A paying customer: a project with a key, and its owner's session. */
export interface Payer extends Customer {
  readonly cookie: string
  readonly csrfToken: string
}

export interface Seen {
  readonly payer: Payer
  readonly path: string
  readonly body: string
  /** The last response that a client saw for the key; null while none arrived. */
  response: { status: number; text: string } | null
}

export interface TrafficOptions {
  readonly payers: readonly Payer[]
  readonly orderIds: readonly { readonly payer: Payer; readonly orderId: string }[]
  /** Ports of the instances that may be up. */
  readonly ports: () => readonly number[]
  readonly random: () => number
  /** Of each caller, after a response. */
  readonly pauseMs: number
}

const callsAtOnce = 12
const exported = ['usage.csv', 'ledger.csv'] as const

/** Calls and confirms, and records every response that a client saw. */
export function startTraffic({ payers, orderIds, ports, random, pauseMs }: TrafficOptions) {
  const agent = new Agent({ connections: 64, headersTimeout: 60_000, bodyTimeout: 60_000 })
  const seen = new Map<string, Seen>()
  const counts = {
    calls: 0,
    responses: 0,
    lost: 0,
    replays: 0,
    resets: 0,
    confirms: 0,
    credited: 0,
    mismatches: [] as string[],
  }
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  let isOn = true

  const post = async (port: number, path: string, headers: Record<string, string>, body: string) => {
    const response = await request(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      dispatcher: agent,
      headers: { host: new URL(origin).host, 'content-type': 'application/json', ...headers },
      body,
    })
    return {
      status: response.statusCode,
      text: await response.body.text(),
      isReplay: response.headers['idempotent-replayed'] === 'true',
    }
  }

  async function call(key: string, port: number): Promise<void> {
    const intent = seen.get(key)!
    counts.calls += 1
    const response = await post(
      port,
      intent.path,
      { authorization: `Bearer ${intent.payer.apiKey}`, 'idempotency-key': key },
      intent.body,
    )
    counts.responses += 1
    if (response.isReplay) counts.replays += 1
    if (!isStored(response.status)) return
    if (intent.response && (intent.response.status !== response.status || intent.response.text !== response.text)) {
      counts.mismatches.push(
        `${key}: ${intent.response.status} ${intent.response.text} became ${response.status} ${response.text}`,
      )
    }
    intent.response = { status: response.status, text: response.text }
  }

  function newIntent(): string {
    const key = `intent ${seen.size}`
    const prompt = `prompt ${seen.size}`
    const kind = random()
    const intent =
      kind < 0.4
        ? { path: '/v1/models/chat', body: JSON.stringify({ prompt, provider: 'model_provider_b' }) }
        : kind < 0.8
          ? { path: '/v1/models/chat', body: JSON.stringify({ prompt }) }
          : { path: '/v1/pick/search', body: JSON.stringify({ query: '保温杯' }) }
    seen.set(key, { payer: pick(payers), response: null, ...intent })
    return key
  }

  async function confirm(port: number): Promise<void> {
    const { payer, orderId } = pick(orderIds)
    counts.confirms += 1
    const headers = { origin, cookie: payer.cookie, 'x-csrf-token': payer.csrfToken }
    const response = await post(port, `/v1/orders/${orderId}/confirm`, headers, '{}')
    if (response.status === 200) counts.credited += 1
  }

  /** Resets the connection before the first byte of a call's response or an export, or in the middle of it. */
  async function reset(port: number): Promise<void> {
    const { payer, path, body } = seen.get(newIntent())!
    const shared = { host: new URL(origin).host, 'accept-encoding': pick(['gzip', 'identity']) }
    const key = `intent ${seen.size - 1}`
    const asCaller = {
      authorization: `Bearer ${payer.apiKey}`,
      'idempotency-key': key,
      'content-type': 'application/json',
    }
    const text =
      random() < 0.5
        ? requestText('POST', path, { ...shared, ...asCaller }, body)
        : requestText('GET', `/v1/console/${pick(exported)}`, { ...shared, cookie: payer.cookie })
    await sendAndReset(port, text, random() < 0.5 ? 'in the middle' : random() * 20)
    counts.resets += 1
  }

  /** The exports of a payer that cannot be read. */
  async function lockedExports(port: number, { cookie }: Payer): Promise<string[]> {
    const locked: string[] = []
    for (const file of exported) {
      const url = `http://127.0.0.1:${port}/v1/console/${file}`
      const headers = { host: new URL(origin).host, cookie }
      const { statusCode, body } = await request(url, { dispatcher: agent, headers })
      await body.dump()
      // A suspended payer is signed out.
      if (statusCode !== 200 && statusCode !== 401) locked.push(`${file}: ${statusCode}`)
    }
    return locked
  }

  async function worker(): Promise<void> {
    while (isOn) {
      const up = ports()
      if (up.length === 0) {
        await delay(5)
        continue
      }
      const choice = random()
      const known = choice < 0.15 && seen.size > 0
      const port = pick(up)
      const step =
        choice > 0.95
          ? confirm(port)
          : choice > 0.9
            ? reset(port)
            : call(known ? pick([...seen.keys()]) : newIntent(), port)
      await step.catch(() => {
        counts.lost += 1
      })
      if (pauseMs > 0) await delay(pauseMs)
    }
  }

  const workers = Array.from({ length: callsAtOnce }, worker)
  return {
    seen,
    counts,
    call,
    reset,
    lockedExports,
    async stop() {
      isOn = false
      await Promise.all(workers)
    },
    close: () => agent.destroy(),
  }
}

/** Outcomes that are stored under the key. A refusal before forwarding leaves the key free, so it may change. */
const isStored = (status: number) => status === 200 || status === 202 || status === 502
