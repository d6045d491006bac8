import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prices } from '../../../../src/contract/prices.ts'
import { expectInContract } from '../../../../testkit/gateway/contract-check.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { RawConnection } from '../../../../testkit/http/raw-http.ts'
import { goodProvider } from '../../../../testkit/providers/good-provider.ts'
import { type Behaviour, behaves, startUpstream, type Upstream } from '../../../../testkit/providers/upstream.ts'
import { httpEngines } from '../../../../testkit/store/engines.ts'

const request = { prompt: 'hello', provider: 'model_provider_a' }
const price = prices['model.chat'].credits

describe.each(httpEngines)('a client that disconnects on %s', (engine) => {
  let upstream: Upstream
  let gateway: Gateway
  let customer: PayingCustomer

  beforeAll(async () => {
    upstream = await startUpstream(goodProvider)
    const model = { adapter: 'openai', baseUrl: upstream.url, models: { fast: 'upstream-fast' } }
    gateway = await startGateway({ engine, file: { models: { providers: { model_provider_a: model } } } })
    customer = await PayingCustomer.join(gateway)
  })
  afterAll(async () => {
    await gateway.stop()
    await upstream.close()
  })

  const callBytes = (key: string, body = JSON.stringify(request)) =>
    `POST /v1/models/chat HTTP/1.1\r\nHost: localhost:8787\r\nAuthorization: Bearer ${customer.apiKey}\r\n` +
    `Idempotency-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

  /** Sends the call, disconnects once the provider has it, and only then lets the provider respond. */
  async function leaveDuringCall(leave: (connection: RawConnection) => void, then: Behaviour): Promise<string> {
    const key = customer.newKey()
    const { promise: leaving, resolve: mayAct } = Promise.withResolvers<void>()
    upstream.program((wire, call) => void leaving.then(() => then(wire, call)))
    const arrived = upstream.calls.length
    const connection = await RawConnection.open(gateway.app.public)
    connection.send(callBytes(key))
    await upstream.received(arrived + 1)
    leave(connection)
    mayAct()
    return key
  }

  const leaving = {
    'closes its connection': (connection: RawConnection) => connection.destroy(),
    'resets its connection': (connection: RawConnection) => connection.reset(),
  }

  it.each(Object.entries(leaving))(
    'a client that %s still pays for the result, and finds it by its key',
    async (_, leave) => {
      const before = await customer.credits()
      const key = await leaveDuringCall(leave, goodProvider)
      await expect
        .poll(() => customer.credits())
        .toEqual({ available: before.available - price, reserved: before.reserved })
      const arrived = upstream.calls.length
      const replay = await customer.call('model.chat', request, key)
      expect(replay.status).toBe(200)
      expect(replay.headers['idempotent-replayed']).toBe('true')
      expectInContract('model.chat', replay)
      expect(upstream.calls).toHaveLength(arrived)
      expect((await customer.credits()).available).toBe(before.available - price)
    },
  )

  it('a client that only half-closes after 400 pipelined calls pays for each and gets every response', async () => {
    upstream.program(goodProvider)
    const before = await customer.credits()
    const connection = await RawConnection.open(gateway.app.public)
    const calls = Array.from({ length: 400 }, () => callBytes(customer.newKey(), '{"prompt":"hello"}'))
    const responses = await connection.send(calls.join('')).halfClose().rest()
    expect(responses.map(({ status }) => status)).toEqual(Array(400).fill(200))
    expect((await customer.credits()).available).toBe(before.available - 400 * price)
  })

  it.each(Object.entries(leaving))(
    'a client that %s gets its credits back when the provider refuses',
    async (_, leave) => {
      const before = await customer.credits()
      const key = await leaveDuringCall(leave, behaves.respond(400))
      await expect.poll(() => customer.credits()).toEqual(before)
      const replay = await customer.call('model.chat', request, key)
      expect(replay).toMatchObject({ status: 502, body: { error: { code: 'PROVIDER_REQUEST_REJECTED' } } })
      expect(replay.headers['idempotent-replayed']).toBe('true')
    },
  )

  it('a client that disconnects and returns at once with the same key waits for the one result', async () => {
    const before = await customer.credits()
    const arrived = upstream.calls.length
    const { promise: returned, resolve: mayAct } = Promise.withResolvers<void>()
    const key = await leaveDuringCall(leaving['closes its connection'], (wire, call) => {
      void returned.then(() => goodProvider(wire, call))
    })
    const duplicate = customer.call('model.chat', request, key)
    mayAct()
    const response = await duplicate
    expect(response.status).toBe(200)
    expect(response.headers['idempotent-replayed']).toBe('true')
    expect(upstream.calls).toHaveLength(arrived + 1)
    expect((await customer.credits()).available).toBe(before.available - price)
  })

  it('a client that disconnects within its body is not charged, and its key stays free', async () => {
    const before = await customer.credits()
    const arrived = upstream.calls.length
    const key = customer.newKey()
    const connection = await RawConnection.open(gateway.app.public)
    connection.send(callBytes(key).slice(0, -1)).reset()
    upstream.program(goodProvider)
    const response = await customer.call('model.chat', request, key)
    expect(response.status).toBe(200)
    expect(response.headers['idempotent-replayed']).toBeUndefined()
    expect(upstream.calls).toHaveLength(arrived + 1)
    expect(await customer.credits()).toEqual({ available: before.available - price, reserved: before.reserved })
  })
})
