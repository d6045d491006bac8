import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scopes } from '../../src/contract/prices.ts'
import { requestExampleOf } from '../../src/contract/sample.ts'
import { Browser } from '../../testkit/gateway/browser.ts'
import { type Gateway, type HttpResponse, startGateway } from '../../testkit/gateway/gateway.ts'
import { mediaFile } from '../../testkit/gateway/media-customer.ts'
import { servedOperations } from '../../testkit/gateway/served-operations.ts'
import { type FakeMediaProvider, startMediaProvider } from '../../testkit/providers/media-provider.ts'
import { engines } from '../../testkit/store/engines.ts'

const creates = servedOperations.filter(({ takesIdempotencyKey }) => takesIdempotencyKey)

/** Where the example of a request does not do. */
const requests: Readonly<Record<string, object>> = {
  'console.payments.create': { amountFen: 1000, method: 'simulated' },
  'console.keys.create': { name: 'equal', scopes: ['models:invoke'] },
  'media.jobs.create': { prompt: 'a cat' },
}

/** What a create made: the same for each of its repeats. */
const made = ({ body, headers }: HttpResponse): unknown =>
  headers['x-charge-id'] ?? body.orderId ?? body.paymentId ?? body.keyId

describe.each(engines)('on %s', (engine) => {
  let gateway: Gateway
  let provider: FakeMediaProvider
  let payer: Browser
  let key: { apiKey: string; keyId: string }
  beforeAll(async () => {
    provider = await startMediaProvider()
    gateway = await startGateway({
      ...{ engine, file: mediaFile(provider) },
      environment: { MEDIA_CALLBACK_SECRET: `whsec_${Buffer.from('a secret of the provider').toString('base64')}` },
    })
    payer = new Browser(gateway)
    await payer.register()
    await payer.recharge(100_000)
    key = await payer.createKey([...scopes])
  })
  afterAll(async () => {
    await gateway.stop()
    await provider.close()
  })

  test.each(creates.map(({ id }) => id))('12 equal %s at once are one', async (id) => {
    const operation = creates.find((one) => one.id === id)!
    const body = requests[id] ?? requestExampleOf(operation)
    const path = operation.path.replace('{keyId}', key.keyId)
    const headers = { 'idempotency-key': `equal ${id}` }
    const send = () =>
      operation.access === 'key'
        ? gateway.send('POST', path, { ...headers, authorization: `Bearer ${key.apiKey}` }, JSON.stringify(body))
        : payer.post(path, body as object, headers)
    const responses = await Promise.all(Array.from({ length: 12 }, send))
    expect(responses.map(({ status, text }) => (status < 300 ? 'ok' : text))).toEqual(Array(12).fill('ok'))
    expect([...new Set(responses.map(made))]).toEqual([expect.any(String)])
  })
})
