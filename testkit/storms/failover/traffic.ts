import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { origin } from '../../gateway/gateway.ts'
import { localhostCertificate } from '../../providers/localhost-certificate.ts'
import type { Customer } from '../../store/rig.ts'
import { SuccessLog, type Worker } from './success-log.ts'

export interface TrafficOptions {
  readonly payers: readonly Customer[]
  /** Ports of the gateways. */
  readonly ports: readonly number[]
  /** Of each worker, between two calls. */
  readonly pauseMs: number
  /** Pays once for credits, again and again. */
  readonly pay: () => Promise<void>
}

/** A call that a client got a response to. */
export interface AnsweredCall {
  readonly payer: Customer
  readonly key: string
  readonly body: string
  readonly status: number
  readonly text: string
}

/** A call of an OpenAI or MCP client. It has no Idempotency-Key, so it must not be sent twice. */
export interface KeylessCall {
  readonly name: string
  /** Null if the client does not know what became of it. */
  readonly chargeId: string | null
}

/** In front of the gateways. */
export interface FrontProxy {
  readonly port: number
  /** With the certificate of localhost. */
  readonly hasTls?: boolean
}

export type Traffic = ReturnType<typeof startTraffic>

const attemptLimitMs = 20_000
const retryMs = 50
const callLimitMs = 90_000

/** Every so many calls of a worker is one without an Idempotency-Key. */
const keylessEvery = 5

/**
 * One worker for each gateway and project. It repeats a call with its Idempotency-Key, on the next gateway in turn, until it is
 * answered; then it makes the next one. Half of the calls are forwarded to the provider, half stay in the gateway. Some are made
 * as OpenAI and MCP clients do, once each.
 */
export function startTraffic({ payers, ports, pay, pauseMs: usualPauseMs }: TrafficOptions) {
  let pauseMs = usualPauseMs
  const agent = new Agent({
    connections: 256,
    headersTimeout: attemptLimitMs,
    bodyTimeout: attemptLimitMs,
    connect: { ca: localhostCertificate.cert },
  })
  const successes = new SuccessLog()
  const lost: Error[] = []
  const failures = new Map<string, number>()
  let answered: AnsweredCall[] = []
  let keyless: KeylessCall[] = []
  let slowestMs = 0
  let made = 0
  let isOn = true
  let isPaused = false
  let canCall = (_: Worker) => true
  let proxy: FrontProxy | undefined
  const portOf = ({ gateway }: Worker, attempt: number) => proxy?.port ?? ports[(gateway + attempt) % ports.length]!

  const send = async (port: number, path: string, payer: Customer, body: string, more: Record<string, string> = {}) => {
    const scheme = port === proxy?.port && proxy.hasTls ? 'https' : 'http'
    const authorization = `Bearer ${payer.apiKey}`
    const response = await request(`${scheme}://127.0.0.1:${port}${path}`, {
      method: 'POST',
      dispatcher: agent,
      headers: { host: new URL(origin).host, 'content-type': 'application/json', authorization, ...more },
      body,
    })
    return { status: response.statusCode, text: await response.body.text(), headers: response.headers }
  }

  const post = async (port: number, { payer, key, body }: Pick<AnsweredCall, 'payer' | 'key' | 'body'>) => {
    const { headers, ...response } = await send(port, '/v1/models/chat', payer, body, { 'idempotency-key': key })
    return { ...response, isReplay: headers['idempotent-replayed'] === 'true' }
  }

  async function callWithoutKey(worker: Worker): Promise<void> {
    const name = `prompt ${made}`
    const [path, body] = made % 2 === 0 ? completionOf(name) : toolCallOf(name)
    const sent = send(portOf(worker, 0), path, payers[worker.payer]!, JSON.stringify(body))
    const { status, text } = await sent.catch(() => ({ status: 0, text: '' }))
    const chargeId = status === 200 ? (/"(?:chatcmpl-|chargeId":"chg_)(\w+)"/.exec(text)?.[1] ?? null) : null
    keyless.push({ name, chargeId: chargeId && `chg_${chargeId}` })
  }

  async function call(worker: Worker): Promise<void> {
    made += 1
    if (made % keylessEvery === 0) return callWithoutKey(worker)
    const prompt = `prompt ${made}`
    const body = JSON.stringify(made % 2 === 0 ? { prompt } : { prompt, provider: 'model_provider_b' })
    const intent = { payer: payers[worker.payer]!, key: `call ${made}`, body }
    const startedAt = performance.now()
    for (let attempt = 0; performance.now() - startedAt < callLimitMs; attempt += 1) {
      const port = portOf(worker, attempt)
      const response = await post(port, intent).catch((error: Error) => ({ status: error.message, text: '' }))
      if (response.status === 200 || response.status === 202) {
        answered.push({ ...intent, status: response.status, text: response.text })
        slowestMs = Math.max(slowestMs, performance.now() - startedAt)
        return successes.add({ ...worker, gateway: ports.indexOf(port) })
      }
      const fault = `${response.status} ${/"code":"(\w+)"/.exec(response.text)?.[1] ?? ''}`.trim()
      failures.set(fault, (failures.get(fault) ?? 0) + 1)
      await delay(retryMs)
    }
    throw new Error(`${intent.key} was not answered for ${callLimitMs / 1000} s`)
  }

  let underWay = 0
  async function callOnce(worker: Worker): Promise<void> {
    underWay += 1
    await call(worker).finally(() => {
      underWay -= 1
    })
  }

  async function run(worker: Worker): Promise<void> {
    while (isOn) {
      if (canCall(worker)) await callOnce(worker)
      await delay(pauseMs)
    }
  }
  const workers = ports
    .flatMap((_, gateway) => payers.map((_, payer) => ({ gateway, payer })))
    .map((worker) => run(worker))
  async function runPayments(): Promise<void> {
    while (isOn) {
      if (!isPaused) {
        underWay += 1
        await pay().finally(() => {
          underWay -= 1
        })
      }
      await delay(pauseMs)
    }
  }
  const failed = Promise.all([...workers, runPayments()])
  failed.catch(() => {})

  return {
    successes,
    post,
    /** Failed attempts since the last time, by their fault. */
    takeFailures() {
      const taken = Object.fromEntries(failures)
      failures.clear()
      return taken
    },
    /** One more call, whatever the workers are waiting for. */
    callNow: (worker: Worker) => void callOnce(worker).catch((error) => lost.push(error)),
    /** How long the slowest call took since the last time, with all its repetitions. */
    takeSlowestSeconds(): number {
      const taken = slowestMs / 1000
      slowestMs = 0
      return taken
    },
    /** Answered calls since the last time. */
    takeAnswered(): AnsweredCall[] {
      const taken = answered
      answered = []
      return taken
    },
    /** Calls without an Idempotency-Key since the last time. */
    takeKeyless(): KeylessCall[] {
      const taken = keyless
      keyless = []
      return taken
    },
    /** Only these workers make further calls. */
    restrictTo(filter: (worker: Worker) => boolean) {
      canCall = filter
    },
    /** All calls go to this proxy; without one, to the gateways again. */
    sendThrough(next?: FrontProxy) {
      proxy = next
    },
    /** Of each worker, between two calls; without one, the usual. */
    setPause(ms = usualPauseMs) {
      pauseMs = ms
    },
    /** Resolves when no call is under way. */
    async pause() {
      canCall = () => false
      isPaused = true
      while (underWay > 0) await Promise.race([delay(20), failed])
      if (lost[0]) throw lost[0]
    },
    resume() {
      canCall = () => true
      isPaused = false
    },
    /** Rejects if a call was never answered. */
    failed,
    async close() {
      isOn = false
      await failed.finally(() => agent.destroy())
    },
  }
}

const completionOf = (content: string) =>
  ['/v1/chat/completions', { model: 'model_provider_b/fast', messages: [{ role: 'user', content }] }] as const

const toolCallOf = (prompt: string) => {
  const params = { name: 'model_chat', arguments: { prompt, provider: 'model_provider_b' } }
  return ['/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }] as const
}
