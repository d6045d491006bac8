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
}

/** A call that a client got a response to. */
export interface AnsweredCall {
  readonly payer: Customer
  readonly key: string
  readonly body: string
  readonly status: number
  readonly text: string
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

/**
 * One worker for each gateway and project. It repeats a call with its Idempotency-Key, on the next gateway in turn, until it is
 * answered; then it makes the next one. Half of the calls are forwarded to the provider, half stay in the gateway.
 */
export function startTraffic({ payers, ports, pauseMs: usualPauseMs }: TrafficOptions) {
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
  let slowestMs = 0
  let made = 0
  let isOn = true
  let canCall = (_: Worker) => true
  let proxy: FrontProxy | undefined
  const portOf = ({ gateway }: Worker, attempt: number) => proxy?.port ?? ports[(gateway + attempt) % ports.length]!

  const post = async (port: number, { payer, key, body }: Pick<AnsweredCall, 'payer' | 'key' | 'body'>) => {
    const scheme = port === proxy?.port && proxy.hasTls ? 'https' : 'http'
    const response = await request(`${scheme}://127.0.0.1:${port}/v1/models/chat`, {
      method: 'POST',
      dispatcher: agent,
      headers: {
        host: new URL(origin).host,
        'content-type': 'application/json',
        authorization: `Bearer ${payer.apiKey}`,
        'idempotency-key': key,
      },
      body,
    })
    const text = await response.body.text()
    return { status: response.statusCode, text, isReplay: response.headers['idempotent-replayed'] === 'true' }
  }

  async function call(worker: Worker): Promise<void> {
    made += 1
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
  const failed = Promise.all(workers)
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
      while (underWay > 0) await Promise.race([delay(20), failed])
      if (lost[0]) throw lost[0]
    },
    resume() {
      canCall = () => true
    },
    /** Rejects if a call was never answered. */
    failed,
    async close() {
      isOn = false
      await failed.finally(() => agent.destroy())
    },
  }
}
