import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BillableOperation, billableOperations, prices } from '../../../../src/contract/prices.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { freePort } from '../../../../testkit/http/free-port.ts'
import { otherRequest } from '../../../../testkit/providers/operation-rows.ts'

interface Described {
  readonly parameters: readonly { name: string; in: string; required?: boolean; schema: object }[]
  readonly requestBody?: object
}

/** Everything that a customer's program has: the address, and the document that is served there. */
async function clientOf(baseUrl: string) {
  const document = JSON.parse(await (await fetch(`${baseUrl}/openapi.json`)).text())
  const ajv = addFormats.default(new Ajv2020({ strict: false }))
  ajv.addSchema({ $id: 'served', ...document })
  const token = (text: string) => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))

  function check(pointer: string, value: unknown): void {
    const accepts = ajv.compile({ $ref: `served#/paths/${pointer}` })
    if (!accepts(value)) throw new Error(ajv.errorsText(accepts.errors))
  }

  /** Sends only what the document allows, and accepts only what it promises. */
  async function call(method: 'get' | 'post', path: string, given: Record<string, string> = {}, body?: object) {
    const described: Described | undefined = document.paths[path]?.[method]
    if (!described) throw new Error(`no ${method} ${path}`)
    const pointer = `${token(path)}/${method}`
    for (const [at, { name, required }] of described.parameters.entries()) {
      if (given[name] !== undefined) check(`${pointer}/parameters/${at}/schema`, given[name])
      else if (required) throw new Error(`${name} is required`)
    }
    if (described.requestBody) check(`${pointer}/requestBody/content/application~1json/schema`, body)
    const url = baseUrl + path.replace(/\{(\w+)\}/g, (_, name) => given[name]!)
    const response = await fetch(url, {
      method,
      headers: { ...given, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const json = JSON.parse(await response.text())
    check(`${pointer}/responses/${response.status}/content/application~1json/schema`, json)
    return { status: response.status, json, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
  }

  return { call }
}

describe('a client that knows nothing but the served document', () => {
  let gateway: Gateway
  let baseUrl: string
  let client: Awaited<ReturnType<typeof clientOf>>

  beforeAll(async () => {
    // The real origin, so that the client need not set a Host header.
    const port = await freePort()
    baseUrl = `http://127.0.0.1:${port}`
    gateway = await startGateway({ environment: { GATEWAY_ORIGIN: baseUrl, GATEWAY_LISTEN: `127.0.0.1:${port}` } })
    client = await clientOf(baseUrl)
  })
  afterAll(() => gateway.stop())

  it('a client that knows nothing but the served document registers, recharges, creates a key and buys every operation', async () => {
    const { call } = client
    const phone = '13912345678'
    const { challengeId } = (await call('post', '/v1/auth/send-code', { Origin: baseUrl }, { phone })).json
    const verificationCode = gateway.messages.find((sent) => sent.challengeId === challengeId)!.code
    const account = {
      phone,
      challengeId,
      verificationCode,
      recoveryEmail: 'li@example.com',
      password: 'correct horse battery',
    }
    const { json: registered, cookie } = await call('post', '/v1/auth/register', { Origin: baseUrl }, account)
    const session = { Origin: baseUrl, 'X-CSRF-Token': registered.csrfToken, cookie }
    const intent = () => ({ 'Idempotency-Key': crypto.randomUUID() })
    const { orderId } = (await call('post', '/v1/orders', { ...session, ...intent() }, { amountFen: 1000 })).json
    const { json: order } = await call('post', '/v1/orders/{orderId}/confirm', { ...session, orderId }, {})
    const scopes = [...new Set(billableOperations.map((operation) => prices[operation].scope))]
    const { apiKey } = (await call('post', '/v1/keys', session, { scopes })).json
    const buy = async (operation: BillableOperation, body: object) => {
      const headers = { ...intent(), authorization: `Bearer ${apiKey}` }
      return (await call('post', prices[operation].path, headers, body)).json
    }

    const found = await buy('pick.search', { query: '保温杯', limit: 2, sort: 'price_asc' })
    expect(found.data.items.map(({ priceCents }: { priceCents: number }) => priceCents)).toEqual([3900, 4900])
    const items = found.data.items.map(({ itemRef }: { itemRef: object }) => itemRef)
    for (const operation of billableOperations)
      expect(await buy(operation, otherRequest(operation, { items })), operation).toMatchObject({
        status: 'settled',
        operation,
        chargedCredits: prices[operation].credits,
      })
    const spent = [...billableOperations, 'pick.search' as const].reduce((sum, id) => sum + prices[id].credits, 0)
    const { json: me } = await call('get', '/v1/me', { cookie })
    expect(me.credits.available).toBe(order.creditedAmount - spent)
  })

  it.each([
    ['a path that does not exist', 'post', '/v1/models/chats', { 'Idempotency-Key': 'x' }, { prompt: 'x' }],
    ['another method', 'get', '/v1/models/chat', { 'Idempotency-Key': 'x' }, undefined],
    ['a missing field', 'post', '/v1/models/chat', { 'Idempotency-Key': 'x' }, {}],
    ['a field of another type', 'post', '/v1/models/chat', { 'Idempotency-Key': 'x' }, { prompt: 1 }],
    ['an unknown provider', 'post', '/v1/models/chat', { 'Idempotency-Key': 'x' }, { prompt: 'x', provider: 'other' }],
    ['no idempotency key', 'post', '/v1/models/chat', {}, { prompt: 'x' }],
    [
      'an operation that an agent cannot run',
      'post',
      '/v1/agent/run',
      { 'Idempotency-Key': 'x' },
      { tool: 'pick.assist', arguments: { operation: 'links', payload: {} } },
    ],
  ] as const)(
    'a client that knows nothing but the served document finds %s without asking',
    async (_, method, path, headers, body) => {
      await expect(client.call(method, path, headers as Record<string, string>, body)).rejects.toThrow()
    },
  )
})
