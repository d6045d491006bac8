import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { billableOperations, scopes } from '../../src/contract/prices.ts'
import { Browser, newPhone, password } from '../../testkit/gateway/browser.ts'
import { contractOf } from '../../testkit/gateway/contract-check.ts'
import { type Gateway, type HttpResponse, origin } from '../../testkit/gateway/gateway.ts'
import { sharedGateway } from '../../testkit/gateway/shared-gateway.ts'

/** Checks the service against the document that it serves, and nothing else. */
interface ServedOperation {
  readonly operationId: string
  readonly responses: Record<
    string,
    { headers?: Record<string, { required?: boolean }>; content?: Record<string, { schema: object }> }
  >
}

let gateway: Gateway
let payer: Browser
let apiKey: string
let keyId: string
const phone = newPhone()
const served = new Map<string, { operation: ServedOperation; pointer: string }>()
const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)

beforeAll(async () => {
  gateway = await sharedGateway()
  const { body: document } = await gateway.send('GET', '/openapi.json')
  ajv.addSchema({ $id: 'served', ...document })
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, ServedOperation>>)) {
    for (const [method, operation] of Object.entries(methods)) {
      served.set(operation.operationId, { operation, pointer: `served#/paths/${pointerToken(path)}/${method}` })
    }
  }
  payer = new Browser(gateway)
  await payer.register(phone)
  await payer.recharge(10_000)
  ;({ apiKey, keyId } = await payer.createKey([...scopes]))
})
afterAll(() => gateway.stop())

const pointerToken = (token: string) => encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'))

/** How a response breaks the document, or null. */
function breachOf(operationId: string, { status, headers, text, body }: HttpResponse): string | null {
  const { operation, pointer } = served.get(operationId)!
  const documented = operation.responses[status]
  if (!documented) return `status ${status} is not documented`
  const missing = Object.entries(documented.headers ?? {}).filter(
    ([name, { required }]) => required && !headers[name.toLowerCase()],
  )
  if (missing.length > 0) return `headers ${missing.map(([name]) => name)} are missing`
  const type = String(headers['content-type']).split(';')[0]!
  if (!documented.content?.[type]) return `content type ${type} is not documented for ${status}`
  const check = ajv.compile({ $ref: `${pointer}/responses/${status}/content/${pointerToken(type)}/schema` })
  return check(type === 'application/json' ? body : text) ? null : `${ajv.errorsText(check.errors)} in ${text}`
}

/** One valid request for each operation of the table. */
const requests: Record<string, () => Promise<HttpResponse>> = {
  'auth.send_code': () => new Browser(gateway).post('/v1/auth/send-code', { phone: newPhone() }),
  'auth.register': () => new Browser(gateway).register(),
  'auth.login': () => new Browser(gateway).post('/v1/auth/login', { identifier: phone, password }),
  'auth.logout': async () => {
    const browser = new Browser(gateway)
    await browser.post('/v1/auth/login', { identifier: phone, password })
    return browser.post('/v1/auth/logout', {})
  },
  'pricing.get': () => gateway.send('GET', '/v1/pricing'),
  'plans.get': () => gateway.send('GET', '/v1/plans'),
  'account.get': () => payer.get('/v1/me'),
  'keys.list': () => payer.get('/v1/keys'),
  'keys.create': () => payer.post('/v1/keys', { scopes: ['pick:read'] }),
  'keys.revoke': () => payer.post(`/v1/keys/${keyId}/revoke`, {}),
  'orders.create': () => payer.post('/v1/orders', { amountFen: 100 }, { 'idempotency-key': 'created' }),
  'orders.confirm': async () => {
    const order = await payer.post('/v1/orders', { amountFen: 100 }, { 'idempotency-key': 'confirmed' })
    return payer.post(`/v1/orders/${order.body.orderId}/confirm`, {})
  },
  'docs.openapi': () => gateway.send('GET', '/openapi.json'),
  'docs.llms': () => gateway.send('GET', '/llms.txt'),
  'docs.page': () => gateway.send('GET', '/docs'),
}

/** The documented examples are valid once a search has shown their items. */
async function businessCall(operationId: string): Promise<HttpResponse> {
  await gateway.call(apiKey, contractOf.get('pick.search')!.path, `search for ${operationId}`, { query: '保温杯' })
  const { path, requestExample } = contractOf.get(operationId)!
  return gateway.call(apiKey, path, `example of ${operationId}`, requestExample as object)
}
for (const id of billableOperations) requests[id] = () => businessCall(id)

/** Last, because it revokes the key. */
const operationIds = [...contractOf.keys()].sort((a, b) => Number(a === 'keys.revoke') - Number(b === 'keys.revoke'))

test('the served document and the table name the same operations', () => {
  expect([...served.keys()].sort()).toEqual([...contractOf.keys()].sort())
  expect(Object.keys(requests).sort()).toEqual([...contractOf.keys()].sort())
})

describe.each(operationIds)('%s as served', (operationId) => {
  const { method, path } = contractOf.get(operationId)!
  const somePath = path.replace('{keyId}', 'key_1').replace('{orderId}', 'ord_1')
  const bare = (headers: Record<string, string> = {}) =>
    gateway.send(method, somePath, headers, method === 'POST' ? '{}' : undefined)

  test('an operation responds to a valid request as documented', async () => {
    const response = await requests[operationId]!()
    expect(Object.keys(served.get(operationId)!.operation.responses)).toContain(
      String(contractOf.get(operationId)!.responses[0]!.status),
    )
    expect({ status: response.status, breach: breachOf(operationId, response) }).toEqual({
      status: contractOf.get(operationId)!.responses[0]!.status,
      breach: null,
    })
  })

  test('an operation refuses as documented: another host, no credentials, an unexpected body', async () => {
    const responses = [
      await bare({ host: 'elsewhere.example' }),
      await bare(),
      await bare({ origin }),
      await gateway.send('POST', somePath, { 'content-type': 'text/plain', origin }, 'nonsense'),
    ]
    const ofThisMethod = method === 'POST' ? responses : responses.slice(0, 3)
    for (const response of ofThisMethod) expect(breachOf(operationId, response)).toBeNull()
    expect(responses[0]!.body.error.code).toBe('HOST_NOT_ALLOWED')
  })
})
