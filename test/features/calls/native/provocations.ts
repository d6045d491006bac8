import type { ErrorCode } from '../../../../src/contract/errors.ts'
import { type BillableOperation, prices, scopes } from '../../../../src/contract/prices.ts'
import { decideReview } from '../../../../src/features/calls/reviews/reviews.ts'
import { createReviewStore } from '../../../../src/features/calls/reviews/store.ts'
import { createLedger } from '../../../../src/ledger/ledger.ts'
import { createBatchStore } from '../../../../src/storage/batch-store.ts'
import type { Gateway, HttpResponse, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { RawConnection, type RawResponse, sendRaw } from '../../../../testkit/http/raw-http.ts'
import { goodProvider, shownBy } from '../../../../testkit/providers/good-provider.ts'
import {
  operationRows,
  rightRequest,
  unknownFields,
  wrongRequests,
} from '../../../../testkit/providers/operation-rows.ts'
import { type Behaviour, behaves, type Upstream } from '../../../../testkit/providers/upstream.ts'
import { type Database, openDatabase } from '../../../../testkit/store/engines.ts'

/** Where refusals are provoked. The customer has seen items of all three shops, of which two now fail. */
export interface Scene {
  readonly operation: BillableOperation
  readonly gateway: Gateway
  readonly database: Database
  readonly customer: PayingCustomer
  readonly upstream: Upstream
  /** A gateway with low limits: two calls per key and minute, keys that live an hour, half a second for a body. */
  readonly strict: Gateway
  readonly clock: TestClock
}

export type Provocation = (scene: Scene) => Promise<HttpResponse>

const provider =
  (behaviour: Behaviour): Provocation =>
  async ({ operation, customer, upstream }) => {
    upstream.program(behaviour)
    try {
      return await customer.call(operation, rightRequest(operation))
    } finally {
      upstream.program(goodProvider)
    }
  }

const request =
  (choose: (operation: BillableOperation) => unknown): Provocation =>
  ({ operation, customer }) =>
    customer.call(operation, choose(operation) as object)

const wrong = (code: ErrorCode) => request((operation) => wrongRequests(operation)[code]![0])

/** The bytes of a valid call, changed before sending. */
const raw =
  (change: (head: string, body: string) => string, halfClose = false): Provocation =>
  async (scene) => {
    const { head, body } = callBytes(scene)
    if (!halfClose) return replyOf((await sendRaw(scene.gateway.app.public, change(head, body)))[0]!)
    const connection = await RawConnection.open(scene.gateway.app.public)
    return replyOf((await connection.send(change(head, body)).halfClose().rest())[0]!)
  }

/** How to provoke each code of the contract. A missing one fails the tests. */
export const provocations: Partial<Record<ErrorCode, Provocation>> = {
  REQUEST_TARGET_INVALID: raw((head, body) => head.replace('/v1/', '/v1%2f') + body),
  REQUEST_HEADERS_INVALID: raw((head, body) => head.replace('\r\n', '\r\nX-Name: \x80\r\n') + body),
  REQUEST_HEADERS_TOO_LARGE: raw((head, body) => head.replace('\r\n', `\r\n${'X: y\r\n'.repeat(100)}`) + body),
  HTTP_VERSION_UNSUPPORTED: raw((head, body) => head.replace('HTTP/1.1', 'HTTP/1.0') + body),
  TRANSFER_ENCODING_UNSUPPORTED: raw(
    (head) => `${head.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')}0\r\n\r\n`,
  ),
  CONTENT_LENGTH_INVALID: raw((head, body) => head.replace(/Content-Length: (\d+)/, 'Content-Length: 0$1') + body),
  HOST_NOT_ALLOWED: raw((head, body) => head.replace('localhost:8787', 'other.example') + body),
  REQUEST_BODY_INCOMPLETE: raw((head, body) => head + body.slice(0, -1), true),
  PAYLOAD_TOO_LARGE: raw((head, body) => head.replace(/Content-Length: \d+/, 'Content-Length: 65537') + body),
  REQUEST_TIMEOUT: async (scene) => {
    const { head } = callBytes({ ...scene, customer: await PayingCustomer.join(scene.strict) })
    const connection = await RawConnection.open(scene.strict.app.public)
    return replyOf((await connection.send(`${head}{`).rest())[0]!)
  },
  INVALID_JSON: ({ operation, customer, gateway }) =>
    gateway.send('POST', prices[operation].path, headersOf(customer), '[]'),
  UNKNOWN_FIELDS: request((operation) => unknownFields(operation)[0]),

  UNAUTHORIZED: ({ operation, gateway }) =>
    gateway.call(`gk_live_${'x'.repeat(43)}`, prices[operation].path, 'any', rightRequest(operation)),
  KEY_EXPIRED: async ({ operation, strict, clock }) => {
    const customer = await PayingCustomer.join(strict)
    clock.advanceSeconds(3600)
    return customer.call(operation, rightRequest(operation))
  },
  FORBIDDEN: async ({ operation, gateway, customer }) => {
    const { apiKey } = await customer.browser.createKey(scopes.filter((scope) => scope !== prices[operation].scope))
    return gateway.call(apiKey, prices[operation].path, 'any', rightRequest(operation))
  },
  RATE_LIMITED: async ({ operation, strict }) => {
    const customer = await PayingCustomer.join(strict)
    for (let i = 0; i < 2; i += 1) await customer.call(operation, {})
    return customer.call(operation, rightRequest(operation))
  },
  IDEMPOTENCY_KEY_REQUIRED: ({ operation, customer, gateway }) => {
    const { authorization } = headersOf(customer)
    return gateway.send('POST', prices[operation].path, { authorization }, JSON.stringify(rightRequest(operation)))
  },
  INSUFFICIENT_PAID_CREDITS: async ({ operation, gateway }) => {
    const poor = await PayingCustomer.join(gateway, { amountFen: 0 })
    return poor.call(operation, rightRequest(operation))
  },
  IDEMPOTENCY_CONFLICT: async ({ operation, customer }) => {
    const key = customer.newKey()
    const other = operation === 'model.chat' ? 'pick.search' : 'model.chat'
    await customer.call(other, rightRequest(other), key)
    return customer.call(operation, rightRequest(operation), key)
  },

  INVALID_PROMPT: wrong('INVALID_PROMPT'),
  INVALID_MODEL: wrong('INVALID_MODEL'),
  MODEL_NOT_ALLOWED: wrong('MODEL_NOT_ALLOWED'),
  PROMPT_TOO_LARGE: wrong('PROMPT_TOO_LARGE'),
  PROVIDER_NOT_ALLOWED: wrong('PROVIDER_NOT_ALLOWED'),
  INVALID_QUERY: wrong('INVALID_QUERY'),
  INVALID_LIMIT: wrong('INVALID_LIMIT'),
  INVALID_SORT: wrong('INVALID_SORT'),
  INVALID_FILTERS: wrong('INVALID_FILTERS'),
  INVALID_ITEM_REFS: wrong('INVALID_ITEM_REFS'),
  INVALID_ITEM_REF: wrong('INVALID_ITEM_REF'),
  INVALID_PREFERENCES: wrong('INVALID_PREFERENCES'),
  INVALID_REQUIREMENTS: wrong('INVALID_REQUIREMENTS'),
  INVALID_ARGUMENTS: wrong('INVALID_ARGUMENTS'),
  TOOL_NOT_ALLOWED: wrong('TOOL_NOT_ALLOWED'),
  TOOL_OPERATION_NOT_ALLOWED: wrong('TOOL_OPERATION_NOT_ALLOWED'),

  PROVIDER_CAPABILITY_UNSUPPORTED: request((operation) => readingRequest(operation, 'never shown')),
  PROVIDER_CONTRACT_INVALID: provider(behaves.respond(200, { items: 3, links: 3, choices: 3 })),
  PROVIDER_REQUEST_REJECTED: provider(behaves.respond(400)),
  PROVIDER_REDIRECT_FORBIDDEN: provider(behaves.redirect(307, 'http://127.0.0.1:1/')),
  PROVIDER_LINK_FORBIDDEN: provider((wire, call) => {
    const [productId, other] = JSON.parse(call.body).productIds
    const links = [productId, other].map((id) => ({ productId: id, productUrl: `http://item.shop.example/${id}` }))
    behaves.respond(200, { links, disclosure: '推广' })(wire, call)
  }),
  PROVIDER_UNAVAILABLE: provider(behaves.respond(503)),
  PROVIDER_RATE_LIMITED: provider(behaves.respond(429)),
  PROVIDER_AUTH_REQUIRED: request((operation) =>
    rightRequest(operation, { shop: 'shop_provider_b', model: 'model_provider_b' }),
  ),
  PROVIDER_DISABLED: request((operation) =>
    rightRequest(operation, { shop: 'shop_provider_c', model: 'model_provider_c' }),
  ),
  PROVIDER_CAPACITY_EXHAUSTED: async ({ operation, customer, upstream }) => {
    upstream.program(behaves.hang())
    const arrived = upstream.calls.length
    const holder = customer.call(operation, rightRequest(operation))
    await upstream.received(arrived + 1)
    const response = await customer.call(operation, rightRequest(operation))
    upstream.program(goodProvider)
    await upstream.dropConnections()
    await holder
    return response
  },
  PROVIDER_CIRCUIT_OPEN: async ({ operation, strict }) => {
    const customer = await PayingCustomer.join(strict)
    await customer.call(operation, rightRequest(operation))
    return customer.call(operation, rightRequest(operation))
  },
  ADAPTER_FAILURE: (scene) =>
    operationRows[scene.operation].reading ? overSpoiltSnapshots(scene) : releasedByOperator(scene),
}

/** An uncertain call that an operator released responds ADAPTER_FAILURE from then on. */
async function releasedByOperator({ operation, customer, upstream, database, clock }: Scene): Promise<HttpResponse> {
  const key = customer.newKey()
  upstream.program(behaves.reset())
  const { body } = await customer.call(operation, rightRequest(operation), key)
  upstream.program(goodProvider)
  const store = await openDatabase(database, { exclusive: false })
  const deps = {
    reviews: createReviewStore(store),
    ledger: createLedger({ store: createBatchStore(store) }),
    clock: clock.read,
  }
  const actor = { name: 'operator', via: 'command line' } as const
  await decideReview(deps, actor, { chargeId: body.chargeId, to: 'released', reason: 'not delivered' })
  await store.close()
  return customer.call(operation, rightRequest(operation), key)
}

/** A stored item that is not JSON makes our own code fail before anything is sent. */
async function overSpoiltSnapshots({ operation, customer, database }: Scene): Promise<HttpResponse> {
  const store = await openDatabase(database, { exclusive: false })
  const write = (item: string) =>
    store.write((tx) =>
      tx.run('UPDATE snapshots SET item = $1 WHERE project_id = $2 AND provider = $3 AND product_id = $4', [
        item,
        customer.projectId,
        'shop_provider_a',
        'p-3',
      ]),
    )
  try {
    await write('{')
    return await customer.call(operation, readingRequest(operation, 'p-3'))
  } finally {
    await store.close()
  }
}

function readingRequest(operation: BillableOperation, productId: string): object {
  return operationRows[operation].reading!([{ provider: 'shop_provider_a', productId }, shownBy('shop_provider_a')[0]!])
}

const headersOf = (customer: PayingCustomer) => ({
  authorization: `Bearer ${customer.apiKey}`,
  'idempotency-key': customer.newKey(),
})

function callBytes({ operation, customer }: Pick<Scene, 'operation' | 'customer'>): { head: string; body: string } {
  const body = JSON.stringify(rightRequest(operation)).replace(/[^\x20-\x7e]/g, 'x')
  const { authorization, 'idempotency-key': key } = headersOf(customer)
  const lines = [
    `POST ${prices[operation].path} HTTP/1.1`,
    'Host: localhost:8787',
    `Authorization: ${authorization}`,
    `Idempotency-Key: ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  return { head: `${lines.join('\r\n')}\r\n\r\n`, body }
}

const replyOf = ({ status, headers, body }: RawResponse): HttpResponse => ({
  status,
  headers: Object.fromEntries(headers),
  text: body,
  body: JSON.parse(body),
})
