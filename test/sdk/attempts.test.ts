import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as sdk from '../../sdk/src/index.ts'
import { type Gateway, startGateway } from '../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../testkit/gateway/paying-customer.ts'
import { type BadProxy, startBadProxy } from '../../testkit/http/bad-proxy.ts'
import { behaves, startUpstream, type Upstream } from '../../testkit/providers/upstream.ts'

const answer = behaves.respond(200, { choices: [{ message: { role: 'assistant', content: 'Hello.' } }] })
const request = { prompt: 'x', provider: 'model_provider_b' }

describe('attempts of the SDK', () => {
  let upstream: Upstream
  let gateway: Gateway
  let proxy: BadProxy
  let customer: PayingCustomer
  beforeAll(async () => {
    upstream = await startUpstream(answer)
    const b = { adapter: 'openai', baseUrl: upstream.url, models: { fast: 'fast' } }
    gateway = await startGateway({ file: { models: { providers: { model_provider_b: b } } } })
    proxy = await startBadProxy(gateway.app.public.port)
    customer = await PayingCustomer.join(gateway)
  })
  afterAll(async () => {
    await proxy.close()
    await gateway.stop()
    await upstream.close()
  })

  /** A client whose responses pass through `arrive`; it remembers the Idempotency-Keys that it sent. */
  function clientWith(arrive: (response: Response) => Response | Promise<Response> = (response) => response) {
    const keys: (string | null)[] = []
    const client = new sdk.Gateway({
      apiKey: customer.apiKey,
      baseURL: proxy.url,
      fetch: async (url, init) => {
        keys.push(new Headers(init?.headers).get('idempotency-key'))
        return arrive(await fetch(url, init))
      },
    })
    return { client, keys }
  }

  /** So that no test waits for seconds. */
  const atOnce = (response: Response) => {
    const headers = new Headers(response.headers)
    headers.delete('retry-after')
    return new Response(response.body, { status: response.status, headers })
  }
  const failureOf = (promise: Promise<unknown>): Promise<sdk.GatewayError> =>
    promise.then(
      () => expect.fail('it succeeded'),
      (error) => error,
    )

  it.each([429, 500])('a call that the provider refused with %i is made again under a derived key', async (status) => {
    const { available } = await customer.credits()
    upstream.program(behaves.respond(status), answer)
    const { client, keys } = clientWith(atOnce)
    const { data, idempotencyKey } = await client.models.chat(request).withResponse()
    expect(data.data.output).toBe('Hello.')
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), `${keys[0]}-2`])
    expect(idempotencyKey).toBe(keys[1])
    expect(await customer.credits()).toEqual({ available: available - 3, reserved: 0 })
  })

  it('a call with a key of the caller is not made under another one', async () => {
    upstream.program(behaves.respond(500), answer)
    const { client, keys } = clientWith(atOnce)
    const error = await failureOf(client.models.chat(request, { idempotencyKey: 'of the caller' }))
    expect(error).toMatchObject({ name: 'ProviderError', idempotencyKey: 'of the caller' })
    expect(error.headers!.get('retry-hint')).toBe('new-key')
    expect(keys).toEqual(['of the caller'])
  })

  it('an aborted call throws an AbortError with the key that fetches the paid result', async () => {
    const { available } = await customer.credits()
    const stopped = new AbortController()
    const { client, keys } = clientWith((response) => {
      stopped.abort()
      stopped.signal.throwIfAborted()
      return response
    })
    const error = await failureOf(client.models.chat({ prompt: 'paid' }, { signal: stopped.signal }))
    expect(error).toBeInstanceOf(sdk.CallAborted)
    expect(error).toBeInstanceOf(sdk.GatewayError)
    expect(error).toMatchObject({ name: 'AbortError', code: 'ABORT_ERR', cause: stopped.signal.reason })
    expect(keys).toEqual([error.idempotencyKey])
    const options = { idempotencyKey: error.idempotencyKey }
    const { data, response } = await clientWith().client.models.chat({ prompt: 'paid' }, options).withResponse()
    expect([data.status, response.headers.get('idempotent-replayed')]).toEqual(['settled', 'true'])
    expect((await customer.credits()).available).toBe(available - 3)
  })

  it('an aborted stream throws an AbortError with the key that fetches the whole response', async () => {
    const stopped = new AbortController()
    const { client, keys } = clientWith(async (response) => {
      const text = await response.text()
      const beginning = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(text.slice(0, text.indexOf('\n\n') + 2)))
          stopped.signal.addEventListener('abort', () => controller.error(stopped.signal.reason))
        },
      })
      return new Response(beginning, { headers: response.headers })
    })
    const read = async () => {
      for await (const _ of client.models.stream({ prompt: 'long' }, { signal: stopped.signal })) stopped.abort()
    }
    const error = await failureOf(read())
    expect(error).toMatchObject({ name: 'AbortError', chargeId: expect.stringMatching(/^chg_/) })
    expect(keys).toEqual([error.idempotencyKey])
    let whole = ''
    const options = { idempotencyKey: error.idempotencyKey }
    for await (const chunk of clientWith().client.models.stream({ prompt: 'long' }, options))
      whole += chunk.choices[0]?.delta.content ?? ''
    expect(whole.length).toBeGreaterThan(0)
  })

  it('an abort while a video is made throws an AbortError with the key of its job', async () => {
    const stopped = new AbortController()
    const { client, keys } = clientWith()
    const onProgress = () => stopped.abort()
    const made = { prompt: 'a boat', seconds: 2 } as const
    const error = await failureOf(client.media.createAndWait(made, { signal: stopped.signal, onProgress }))
    expect(error).toMatchObject({ name: 'AbortError', idempotencyKey: keys[0] })
    const job = await client.media.create(made, { idempotencyKey: error.idempotencyKey })
    expect(job.chargeId).toBe(error.chargeId)
  })
})
