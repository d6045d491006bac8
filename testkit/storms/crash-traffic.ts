import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { origin } from '../gateway/gateway.ts'
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

/** Calls and confirms, and records every response that a client saw. */
export function startTraffic({ payers, orderIds, ports, random, pauseMs }: TrafficOptions) {
  const agent = new Agent({ connections: 64, headersTimeout: 60_000, bodyTimeout: 60_000 })
  const seen = new Map<string, Seen>()
  const counts = { calls: 0, responses: 0, lost: 0, replays: 0, confirms: 0, credited: 0, mismatches: [] as string[] }
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

  async function worker(): Promise<void> {
    while (isOn) {
      const up = ports()
      if (up.length === 0) {
        await delay(5)
        continue
      }
      const choice = random()
      const known = choice < 0.15 && seen.size > 0
      const step = choice > 0.95 ? confirm(pick(up)) : call(known ? pick([...seen.keys()]) : newIntent(), pick(up))
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
    async stop() {
      isOn = false
      await Promise.all(workers)
    },
    close: () => agent.destroy(),
  }
}

/** Outcomes that are stored under the key. A refusal before forwarding leaves the key free, so it may change. */
const isStored = (status: number) => status === 200 || status === 202 || status === 502
