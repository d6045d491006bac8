import { setTimeout as delay } from 'node:timers/promises'
import { type BillableOperation, billableOperations, prices } from '../../src/contract/prices.ts'
import { breachOf } from '../gateway/contract-check.ts'
import type { Gateway, HttpResponse } from '../gateway/gateway.ts'
import type { Credits, PayingCustomer } from '../gateway/paying-customer.ts'
import { RawConnection } from '../http/raw-http.ts'
import { goodProvider } from '../providers/good-provider.ts'
import { operationRows } from '../providers/operation-rows.ts'
import { type Behaviour, behaves } from '../providers/upstream.ts'
import { Random } from './random.ts'

export interface StormOptions {
  readonly gateway: Gateway
  readonly customers: readonly PayingCustomer[]
  readonly calls: number
  readonly concurrency: number
  readonly seed: number
  readonly onCall?: (made: number) => void
}

export interface StormReport {
  /** How many responses of each status and code there were. */
  readonly responses: Readonly<Record<string, number>>
  /** Responses that break the contract or differ from an earlier one. Must be empty. */
  readonly faults: readonly string[]
  readonly replays: number
  /** The credits that each customer must have left, according to the responses. */
  expectedCredits(customer: PayingCustomer, recharged: number): Credits
}

/** One purchase: always the same key and body, however often it is sent. */
interface Intent {
  readonly customer: PayingCustomer
  readonly operation: BillableOperation
  readonly key: string
  readonly body: string
  /** The response that was paid for or is in review: every later one must equal it. */
  bought: { readonly status: number; readonly text: string } | null
  /**
   * A caller disconnected and does not know the outcome. Another caller's response does not tell: the calls
   * overlap, and a refusal that is not stored may come before the abandoned call is charged.
   */
  wasLeft: boolean
}

/** Many callers at once who buy, repeat, mix up their keys, send nonsense and disconnect during a call. */
export async function storm({ gateway, customers, calls, concurrency, seed, onCall }: StormOptions) {
  const random = new Random(seed)
  const intents: Intent[] = []
  const responses: Record<string, number> = {}
  const faults: string[] = []
  let replays = 0
  let made = 0

  const newIntent = (): Intent => {
    const operation = random.pick(billableOperations)
    const body = JSON.stringify(operationRows[operation].random(random))
    const key = `intent ${seed} ${intents.length}`
    const intent = { customer: random.pick(customers), operation, key, body, bought: null, wasLeft: false }
    intents.push(intent)
    return intent
  }

  function judge(intent: Intent, response: HttpResponse): void {
    const name = response.body?.error ? `${response.status} ${response.body.error.code}` : String(response.status)
    responses[name] = (responses[name] ?? 0) + 1
    const breach = breachOf(intent.operation, response)
    if (breach) faults.push(`${intent.operation}: ${breach}`)
    if (response.headers['idempotent-replayed']) replays += 1
    const { status, text } = response
    if (intent.bought && (intent.bought.status !== status || intent.bought.text !== text))
      faults.push(`${intent.operation} ${intent.key} answered ${text} after ${intent.bought.text}`)
    if (status === 200 || status === 202) intent.bought ??= { status, text }
  }

  const headersOf = ({ customer, key }: Intent) => ({
    authorization: `Bearer ${customer.apiKey}`,
    'idempotency-key': key,
  })
  const send = (intent: Intent, body = intent.body) =>
    gateway.send('POST', prices[intent.operation].path, headersOf(intent), body)
  const buy = async (intent: Intent) => judge(intent, await send(intent))

  const actions: (readonly [number, () => Promise<void>])[] = [
    [74, () => buy(newIntent())],
    [14, () => buy(intents.length > 0 ? random.pick(intents) : newIntent())],
    [4, () => sendOther(intents.length > 0 ? random.pick(intents) : newIntent())],
    [4, () => sendNonsense(newIntent())],
    [4, () => leave(newIntent())],
  ]

  /** Another request with a key that may be used; it is charged only if the key was free. */
  async function sendOther({ customer, operation, key }: Intent): Promise<void> {
    const body = JSON.stringify({
      ...operationRows[operation].random(random),
      ...(operation === 'agent.run' && { other: 1 }),
    })
    const taken = intents.find((intent) => intent.customer === customer && intent.key === key && intent.body === body)
    const other = taken ?? { customer, operation, key, body, bought: null, wasLeft: false }
    if (!taken) intents.push(other)
    await buy(other)
  }

  async function sendNonsense(intent: Intent): Promise<void> {
    const response = await send(intent, random.pick(['', '[]', '{"other":1}', '{}', '{"query":"', '\u0000']))
    if (response.status !== 400 && response.status !== 403)
      faults.push(`${intent.operation} took nonsense: ${response.text}`)
    // Another process may buy with the same key at the same time.
    judge({ ...intent, bought: null }, response)
  }

  async function leave(intent: Intent): Promise<void> {
    const connection = await RawConnection.open(gateway.app.public)
    const { authorization, 'idempotency-key': key } = headersOf(intent)
    intent.wasLeft = true
    connection.send(
      `POST ${prices[intent.operation].path} HTTP/1.1\r\nHost: localhost:8787\r\nAuthorization: ${authorization}\r\n` +
        `Idempotency-Key: ${key}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(intent.body)}\r\n\r\n`,
    )
    connection.send(Buffer.from(intent.body))
    await delay(random.below(20))
    if (random.next() < 0.5) connection.reset()
    else connection.destroy()
  }

  async function work(): Promise<void> {
    while (made < calls) {
      made += 1
      onCall?.(made)
      await random
        .weighted(actions)()
        .catch((error) => faults.push(`no response: ${error}`))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))

  return {
    responses,
    faults,
    get replays() {
      return replays
    },
    /** Callers that disconnected repeat the call and learn its outcome. */
    async findOut(): Promise<void> {
      for (const intent of intents) if (intent.wasLeft) await buy(intent)
    },
    expectedCredits(customer: PayingCustomer, recharged: number): Credits {
      const sum = (status: number) =>
        intents
          .filter((intent) => intent.customer === customer && intent.bought?.status === status)
          .reduce((credits, { operation }) => credits + prices[operation].credits, 0)
      return { available: recharged - sum(200) - sum(202), reserved: sum(202) }
    },
  } satisfies StormReport & { findOut(): Promise<void> }
}

/** A provider that mostly works, and fails in every possible way. */
export function moodyProvider(seed: number): Behaviour {
  const random = new Random(seed)
  const moods: (readonly [number, Behaviour])[] = [
    [70, goodProvider],
    [3, behaves.respond(400)],
    [3, behaves.respond(429)],
    [3, behaves.respond(500)],
    [1, behaves.respond(503)],
    [1, behaves.respond(408)],
    [1, behaves.respond(504)],
    [2, behaves.redirect(307, 'http://127.0.0.1:1/')],
    [2, behaves.respond(200, '{"items": [')],
    [2, behaves.respond(200, { choices: 1, items: 1, links: 1 })],
    [2, behaves.reset()],
    [2, behaves.hangUp()],
    [2, behaves.cutBody()],
    [1, behaves.resetInBody()],
    [1, behaves.cutUnframedBody()],
    [1, behaves.hang()],
    [1, behaves.hangInBody()],
    [0.5, behaves.hangInBody(400)],
    [0.3, behaves.drip()],
    [0.5, behaves.flood()],
    [0.5, behaves.flood(500)],
    [1, behaves.garble()],
    [0.5, behaves.floodHeaders()],
  ]
  return (wire, call) => random.weighted(moods)(wire, call)
}
