import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BillableOperation, billableOperations, prices, scopes } from '../../../../src/contract/prices.ts'
import {
  type Gateway,
  type HttpResponse,
  origin,
  startGateway,
  TestClock,
} from '../../../../testkit/gateway/gateway.ts'
import { signedInOperator } from '../../../../testkit/gateway/operator-browser.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { RawConnection } from '../../../../testkit/http/raw-http.ts'
import { otherRequest } from '../../../../testkit/providers/operation-rows.ts'
import { behaves, startUpstream, type Upstream } from '../../../../testkit/providers/upstream.ts'
import { httpEngines, openDatabase } from '../../../../testkit/store/engines.ts'

const everyTool = [
  ...billableOperations.map(toolOf),
  ...['create_video', 'get_video', 'get_balance', 'get_prices', 'get_charge'],
]
const modern = '2026-07-28'
const versionKey = 'io.modelcontextprotocol/protocolVersion'

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
type Result = any

describe.each(httpEngines)('the MCP server on %s', (engine) => {
  const clock = new TestClock()
  let upstream: Upstream
  let gateway: Gateway
  let customer: PayingCustomer
  let url: URL

  beforeAll(async () => {
    upstream = await startUpstream(behaves.reset())
    gateway = await startGateway({
      engine,
      clock: clock.read,
      file: {
        models: {
          providers: {
            model_provider_a: { adapter: 'local' },
            model_provider_b: { adapter: 'openai', baseUrl: upstream.url, models: { fast: 'fast' } },
            model_provider_c: { adapter: 'disabled' },
          },
        },
        limits: { keyReadsPerKey: { max: 400, windowSeconds: 60 }, callsPerKey: { max: 100, windowSeconds: 60 } },
      },
    })
    customer = await PayingCustomer.join(gateway)
    url = new URL(`http://127.0.0.1:${gateway.app.public.port}/mcp`)
  })
  afterAll(async () => {
    await gateway.stop()
    await upstream.close()
  })

  const authorized = (apiKey = customer.apiKey) => ({ authorization: `Bearer ${apiKey}` })
  const post = (message: unknown, headers: Record<string, string> = {}) =>
    gateway.send(
      'POST',
      '/mcp',
      { ...authorized(), ...headers },
      typeof message === 'string' ? message : JSON.stringify(message),
    )
  const rpc = (method: string, params?: object, headers: Record<string, string> = {}) =>
    post({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) }, headers)
  const tool = async (name: string, given: object = {}, more: object = {}, headers = {}): Promise<Result> => {
    const response = await rpc('tools/call', { name, arguments: given, ...more }, headers)
    expect(response.status, response.text).toBe(200)
    return response.body.result
  }
  /** A request of the 2026 era, as its clients send it. */
  const inModern = (method: string, params: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    rpc(
      method,
      { ...params, _meta: { [versionKey]: modern, ...(params._meta as object | undefined) } },
      {
        'mcp-protocol-version': modern,
        'mcp-method': method,
        ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
        ...headers,
      },
    )
  const faultOf = ({ status, body }: HttpResponse) => [status, body.error?.code]
  async function keyWith(...wanted: string[]): Promise<string> {
    return (await customer.browser.createKey(wanted)).apiKey
  }
  async function connectLegacy(apiKey = customer.apiKey): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' })
    const requestInit = { headers: authorized(apiKey) }
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit, fetch: viaGateway }) as never)
    return client
  }
  async function connectModern(apiKey = customer.apiKey): Promise<ModernClient> {
    const client = new ModernClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } } as never)
    const requestInit = { headers: authorized(apiKey) }
    await client.connect(new ModernTransport(url, { requestInit, fetch: viaGateway }))
    expect(client.getProtocolEra()).toBe('modern')
    return client
  }
  /** By way of the test's own client, because `fetch` does not let a caller name the host. */
  const viaGateway = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const headers = Object.fromEntries(new Headers(init.headers))
    const method = (init.method ?? 'GET') as 'GET' | 'POST'
    const {
      status,
      headers: answered,
      text,
    } = await gateway.send(method, new URL(String(input)).pathname, headers, init.body as string | undefined)
    const plain = Object.fromEntries(Object.entries(answered).map(([name, value]) => [name, String(value)]))
    return new Response(status === 202 || text === '' ? null : text, { status, headers: plain })
  }

  it('the MCP server lists and calls its tools for clients of both eras', async () => {
    for (const connect of [connectLegacy, connectModern]) {
      const client = await connect()
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(everyTool)
      const chat = (await client.callTool({ name: 'model_chat', arguments: { prompt: '你好' } })) as Result
      expect(chat.isError).toBeFalsy()
      expect(chat.structuredContent).toMatchObject({ status: 'settled', operation: 'model.chat', chargedCredits: 3 })
      expect(JSON.parse(chat.content[0].text)).toEqual(chat.structuredContent)
      expect(chat._meta).toMatchObject({ chargeId: expect.stringMatching(/^chg_/), credits: 3, replayed: false })
      const search = (await client.callTool({ name: 'pick_search', arguments: { query: '杯' } })) as Result
      const items = search.structuredContent.data.items.map(({ itemRef }: Result) => itemRef)
      const calls: Record<string, object> = {
        ...Object.fromEntries(billableOperations.map((id) => [toolOf(id), otherRequest(id, { items })])),
        create_video: { prompt: 'a boat', seconds: 2 },
        get_balance: {},
        get_prices: {},
        get_charge: { chargeId: chat._meta.chargeId },
      }
      let jobId = ''
      for (const [name, given] of Object.entries(calls)) {
        // The clients check what they get against the output schema.
        const result = (await client.callTool({ name, arguments: given as Record<string, unknown> })) as Result
        expect(result.isError, `${name}: ${result.content[0].text}`).toBeFalsy()
        if (name === 'create_video') {
          jobId = result.structuredContent.jobId
          expect(result._meta).toMatchObject({ credits: 10, chargeId: result.structuredContent.chargeId })
        }
      }
      const video = (await client.callTool({ name: 'get_video', arguments: { jobId } })) as Result
      expect(video.structuredContent).toMatchObject({ jobId, seconds: 2 })
      await client.close()
    }
  })

  it('the MCP server states prices in words and numbers', async () => {
    const { tools } = (await rpc('tools/list')).body.result
    const ends = (name: string) => tools.find((one: Result) => one.name === name).description
    expect(ends('pick_links')).toMatch(/ Costs 1 credit \(0\.10 yuan\)\.$/)
    expect(ends('model_chat')).toMatch(/ Costs 3 credits \(0\.30 yuan\)\.$/)
    expect(ends('create_video')).toMatch(/ Costs 5 credits \(0\.50 yuan\) a second\.$/)
    expect(ends('get_balance')).toMatch(/ Free\.$/)
    expect(tools.find((one: Result) => one.name === 'model_chat')._meta).toEqual({
      credits: 3,
      cnyFen: 30,
      pricingVersion: 'gateway-custom-cny-10credits-v1',
    })
    for (const { inputSchema, outputSchema } of tools) {
      expect([inputSchema.type, outputSchema.type]).toEqual(['object', 'object'])
      expect(JSON.stringify([inputSchema, outputSchema])).not.toMatch(/\$ref|x-error-code|discriminator/)
    }
    expect(tools[0].inputSchema.properties.idempotencyKey.description).toBe(
      'Reuse the same value when you repeat this call.',
    )
  })

  it('the MCP server shows a key only the tools of its scopes, and says which scope another one needs', async () => {
    const free = ['get_balance', 'get_prices', 'get_charge']
    for (const scope of scopes) {
      const apiKey = await keyWith(scope)
      const names = (await rpc('tools/list', {}, authorized(apiKey))).body.result.tools.map(({ name }: Result) => name)
      const own = billableOperations.filter((id) => prices[id].scope === scope).map(toolOf)
      const media = scope === 'media:run' ? ['create_video', 'get_video'] : []
      expect(names).toEqual([...own, ...media, ...free])
    }
    const refused = await tool('pick_links', { itemRefs: [] }, {}, authorized(await keyWith('models:invoke')))
    expect(refused).toMatchObject({ isError: true, _meta: { code: 'FORBIDDEN', status: 403 } })
    expect(refused.content[0].text).toContain('pick:link')
    expect(refused).not.toHaveProperty('structuredContent')
  })

  it('the MCP server charges a repeated idempotencyKey once, also over plain HTTP', async () => {
    const given = { prompt: 'once' }
    const before = await customer.credits()
    const first = await tool('model_chat', { ...given, idempotencyKey: 'mcp once' })
    const again = await tool('model_chat', given, { _meta: { idempotencyKey: 'mcp once' } })
    const plain = await customer.call('model.chat', given, 'mcp once')
    expect(first._meta).toMatchObject({ replayed: false, idempotencyKey: 'mcp once' })
    expect(again._meta).toEqual({ ...first._meta, replayed: true })
    expect(again.structuredContent).toEqual(first.structuredContent)
    expect(plain.headers['idempotent-replayed']).toBe('true')
    expect(plain.body).toEqual(first.structuredContent)
    expect((await customer.credits()).available).toBe(before.available - 3)
    // Without a key each call is an intent of its own, and its key is returned.
    const [one, other] = [await tool('model_chat', given), await tool('model_chat', given)]
    expect(one._meta.chargeId).not.toBe(other._meta.chargeId)
    const known = await customer.call('model.chat', given, one._meta.idempotencyKey)
    expect(known.headers['x-charge-id']).toBe(one._meta.chargeId)
  })

  /** Holds the responses of the provider back until they are let go. */
  function gate() {
    const held: (() => void)[] = []
    upstream.program((wire, call) => {
      held.push(() => behaves.respond(200, { choices: [{ message: { content: 'late' } }] })(wire, call))
    })
    return {
      open() {
        for (const response of held.splice(0)) response()
      },
    }
  }
  const slow = { prompt: 'lost', provider: 'model_provider_b' }
  const request = (given: object) => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'model_chat', arguments: given },
    })
    const { authorization } = authorized()
    return `POST /mcp HTTP/1.1\r\nHost: localhost:8787\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  }

  it.each(['reset', 'destroy', 'halfClose'] as const)(
    'the MCP server charges a call once that is repeated after a %s',
    async (loss) => {
      const given = { ...slow, prompt: `lost by ${loss}` }
      const before = await customer.credits()
      const arrived = upstream.calls.length
      const { open } = gate()
      const connection = await RawConnection.open({ port: gateway.app.public.port })
      connection.send(request(given))
      await upstream.received(arrived + 1)
      connection[loss]()
      // Whether its own side was closed is known once the gateway has read that.
      const lost = await customer.browser.gateway.send('GET', '/v1/charges?limit=1', authorized())
      const [{ chargeId }] = lost.body.items
      await expect.poll(() => isLost(chargeId)).toBe(true)
      const repeated = tool('model_chat', given)
      open()
      expect((await repeated)._meta).toMatchObject({ chargeId, replayed: true, credits: 3 })
      expect(upstream.calls).toHaveLength(arrived + 1)
      expect((await customer.credits()).available).toBe(before.available - 3)
      connection.destroy()
      // That response was delivered, so the next call is an intent of its own.
      const next = tool('model_chat', given)
      await upstream.received(arrived + 2)
      open()
      expect((await next)._meta).toMatchObject({ replayed: false })
      expect((await customer.credits()).available).toBe(before.available - 6)
    },
  )

  async function isLost(chargeId: string): Promise<boolean> {
    const store = await openDatabase(gateway.database, { exclusive: false })
    const row = await store.read((tx) =>
      tx.get<{ isLost: number }>('SELECT is_lost AS "isLost" FROM pending_deliveries WHERE charge_id = $1', [chargeId]),
    )
    await store.close()
    return row?.isLost === 1
  }

  it('the MCP server takes equal calls on live connections for separate intents', async () => {
    const before = await customer.credits()
    const arrived = upstream.calls.length
    const { open } = gate()
    const both = [tool('model_chat', slow), tool('model_chat', slow)]
    await upstream.received(arrived + 2)
    open()
    const [one, other] = await Promise.all(both)
    expect(one._meta.chargeId).not.toBe(other._meta.chargeId)
    expect((await customer.credits()).available).toBe(before.available - 6)
    upstream.program(behaves.reset())
  })

  it('the MCP server reports refusals as tool errors, with a remedy', async () => {
    const poor = await PayingCustomer.join(gateway, { amountFen: 0 })
    const rows: [Promise<Result>, string, number, RegExp][] = [
      [tool('model_chat', { prompt: 'x' }, {}, authorized(poor.apiKey)), 'INSUFFICIENT_PAID_CREDITS', 402, /Recharge/],
      [tool('model_chat', { prompt: ' ' }), 'INVALID_PROMPT', 400, /non-empty prompt/],
      [tool('model_chat', { prompt: 'x', color: 'red' }), 'UNKNOWN_FIELDS', 400, /unknown fields/],
      [tool('model_chat', { prompt: 'x', idempotencyKey: '' }), 'IDEMPOTENCY_KEY_REQUIRED', 400, /key/],
      [tool('model_chat', { prompt: 'x', idempotencyKey: 7 }), 'IDEMPOTENCY_KEY_REQUIRED', 400, /key/],
      [tool('model_chat', { prompt: 'y', idempotencyKey: 'mcp once' }), 'IDEMPOTENCY_CONFLICT', 409, /new key/],
      [tool('model_chat', { prompt: 'x', provider: 'model_provider_c' }), 'PROVIDER_DISABLED', 503, /Do not retry/],
      [tool('get_charge', { chargeId: 'chg_unknown' }), 'CHARGE_NOT_FOUND', 404, /charge id/],
      [tool('get_charge', {}), 'CHARGE_NOT_FOUND', 404, /charge id/],
      [tool('get_charge', { chargeId: 'chg_1\u0000' }), 'CHARGE_NOT_FOUND', 404, /charge id/],
      [tool('get_video', { jobId: 'job_unknown' }), 'JOB_NOT_FOUND', 404, /job id/],
      [tool('get_balance', { please: true }), 'UNKNOWN_FIELDS', 400, /unknown fields/],
    ]
    for (const [response, code, status, remedy] of rows) {
      const { isError, _meta, content, ...rest } = await response
      expect({ isError, _meta }).toMatchObject({ isError: true, _meta: { code, status } })
      expect(content[0].text).toMatch(remedy)
      expect(rest).toEqual({})
    }
    const review = await tool('model_chat', { prompt: 'x', provider: 'model_provider_b' })
    expect(review).toMatchObject({ isError: true, _meta: { code: 'MANUAL_REVIEW', status: 202 } })
    expect(review.content[0].text).toContain(review._meta.chargeId)
    expect((await tool('get_charge', { chargeId: review._meta.chargeId })).structuredContent.state).toBe(
      'manual_review',
    )
  })

  it('the MCP server says who can help at the end of a budget, and what a failed call has cost', async () => {
    const key = await customer.browser.post(
      '/v1/console/keys',
      { name: 'poor', scopes: ['models:invoke'], budget: { credits: 1, per: 'month' } },
      { 'idempotency-key': 'poor key' },
    )
    const refused = await tool('model_chat', { prompt: 'x' }, {}, authorized(key.body.apiKey))
    expect(refused._meta).toMatchObject({ code: 'INSUFFICIENT_PAID_CREDITS', status: 402 })
    expect(refused.content[0].text).toContain("Ask the owner to raise this key's budget or to give you another one.")
    expect(refused.content[0].text).not.toMatch(/Recharge|Nothing was charged/)
    upstream.program(behaves.respond(429, {}))
    const released = await tool('model_chat', { prompt: 'x', provider: 'model_provider_b' })
    expect(released._meta).toMatchObject({ code: 'PROVIDER_RATE_LIMITED', chargeId: expect.any(String) })
    expect(released.content[0].text).toContain('Nothing was charged.')
    const conflict = await tool('model_chat', { prompt: 'y', idempotencyKey: 'mcp once' })
    expect(conflict.content[0].text).not.toContain('Nothing was charged.')
    upstream.program(behaves.reset())
  })

  it('the MCP server counts what its tools call, as plain HTTP does', async () => {
    const operator = await signedInOperator(gateway, 'mei', 'viewer', clock.read)
    const chats = async () => {
      const { operations } = (await operator.get('/api/overview')).body.instance
      return operations.find(({ operation }: { operation: string }) => operation === 'model.chat')
    }
    const before = await chats()
    await tool('model_chat', { prompt: 'counted' })
    await tool('model_chat', { prompt: 'counted', provider: 'model_provider_c' })
    await tool('model_chat', { provider: 'model_provider_c' })
    // The overview is at most a second old.
    const { calls, failed, rejected } = before
    await expect.poll(chats, { timeout: 5000 }).toMatchObject({ calls: calls + 3, failed, rejected: rejected + 2 })
  })

  it('the MCP server answers the handshake of 2025 and the discovery of 2026', async () => {
    const initialize = (protocolVersion: string) =>
      rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } })
    for (const [asked, answered] of [
      ['2025-11-25', '2025-11-25'],
      ['2025-06-18', '2025-06-18'],
      ['2025-03-26', '2025-03-26'],
      ['2024-11-05', '2025-11-25'],
    ] as const) {
      const { status, headers, body } = await initialize(asked)
      expect(status).toBe(200)
      expect(body.result).toMatchObject({ protocolVersion: answered, capabilities: { tools: {} } })
      expect(headers).not.toHaveProperty('mcp-session-id')
    }
    expect((await rpc('ping')).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    const noted = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([noted.status, noted.text]).toEqual([202, ''])

    const discovered = (await inModern('server/discover')).body.result
    expect(discovered).toMatchObject({ resultType: 'complete', capabilities: { tools: {} }, cacheScope: 'private' })
    expect(discovered.supportedVersions).toContain(modern)
    const listed = (await inModern('tools/list')).body.result
    expect(listed).toMatchObject({ resultType: 'complete', ttlMs: expect.any(Number), cacheScope: 'private' })
    const called = await inModern('tools/call', { name: 'get_prices', arguments: {} })
    expect(called.body.result).toMatchObject({
      resultType: 'complete',
      structuredContent: { mediaCreditsPerSecond: 5 },
    })
  })

  it('the MCP server refuses what is not the protocol', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const rows: [Promise<HttpResponse>, number, number][] = [
      [post('{'), 400, -32700],
      [post('"\ud800'), 400, -32700],
      [post([list]), 400, -32600],
      [post({ ...list, id: null }), 400, -32600],
      [post({ ...list, id: 1.5 }), 400, -32600],
      [post({ ...list, jsonrpc: '1.0' }), 400, -32600],
      [post({ ...list, params: [] }), 400, -32600],
      [post({ jsonrpc: '2.0', id: 1 }), 400, -32600],
      [rpc('resources/list'), 200, -32601],
      [rpc('server/discover'), 200, -32601],
      [inModern('ping'), 404, -32601],
      [inModern('initialize'), 404, -32601],
      [rpc('tools/call', { name: 'no_such_tool' }), 200, -32602],
      [rpc('tools/call', { name: 'model_chat', arguments: [] }), 200, -32602],
      [rpc('tools/call', {}), 200, -32602],
      [rpc('tools/list', {}, { 'mcp-protocol-version': '2024-11-05' }), 400, -32022],
      [
        inModern('tools/list', { _meta: { [versionKey]: '2027-01-01' } }, { 'mcp-protocol-version': '2027-01-01' }),
        400,
        -32022,
      ],
      [inModern('tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }), 400, -32020],
      [inModern('tools/list', {}, { 'mcp-method': 'tools/call' }), 400, -32020],
      [inModern('tools/call', { name: 'get_prices' }, { 'mcp-name': 'get_balance' }), 400, -32020],
      [rpc('tools/list', {}, { 'mcp-protocol-version': modern, 'mcp-method': 'tools/list' }), 400, -32020],
      [rpc('tools/list', { _meta: { [versionKey]: modern } }), 400, -32020],
    ]
    for (const [index, [response, status, code]] of rows.entries()) {
      expect([index, ...faultOf(await response)]).toEqual([index, status, code])
    }
    const unsupported = await rpc('tools/list', {}, { 'mcp-protocol-version': '2024-11-05' })
    expect(unsupported.body.error.data).toMatchObject({ requested: '2024-11-05' })
    expect(unsupported.body.error.data.supported).toContain('2025-11-25')
    const encoded = `=?base64?${Buffer.from('get_prices').toString('base64')}?=`
    expect((await inModern('tools/call', { name: 'get_prices' }, { 'mcp-name': encoded })).status).toBe(200)
    expect(await gateway.send('GET', '/mcp', authorized())).toMatchObject({ status: 405, headers: { allow: 'POST' } })
  })

  it('the MCP server knows its callers', async () => {
    const unsigned = await gateway.send('POST', '/mcp', {}, '{}')
    expect([unsigned.status, unsigned.body.error.code, unsigned.headers['www-authenticate']]).toEqual([
      401,
      'UNAUTHORIZED',
      'Bearer',
    ])
    expect((await rpc('ping', {}, { origin: 'http://evil.test' })).body.error.code).toBe('ORIGIN_INVALID')
    expect((await rpc('ping', {}, { origin })).status).toBe(200)
  })

  it('the MCP server counts operations as calls and everything else as reads', async () => {
    const apiKey = await keyWith('models:invoke')
    const remaining = async () =>
      (await tool('get_balance', {}, {}, authorized(apiKey))).structuredContent.rateLimit.remaining
    const before = await remaining()
    await tool('model_chat', { prompt: 'x' }, {}, authorized(apiKey))
    await rpc('ping', {}, authorized(apiKey))
    expect(await remaining()).toBe(before - 1)
    while ((await rpc('ping', {}, authorized(apiKey))).status === 200);
    expect(faultOf(await rpc('tools/list', {}, authorized(apiKey)))).toEqual([429, 'RATE_LIMITED'])
    const limited = await tool('get_prices', {}, {}, authorized(apiKey))
    expect(limited).toMatchObject({ isError: true, _meta: { code: 'RATE_LIMITED', status: 429 } })
    expect(limited.content[0].text).toMatch(/Wait \d+ seconds/)
    expect(await tool('model_chat', { prompt: 'x' }, {}, authorized(apiKey))).not.toHaveProperty('isError')
  })
})

function toolOf(operation: BillableOperation): string {
  return operation.replace('.', '_')
}
