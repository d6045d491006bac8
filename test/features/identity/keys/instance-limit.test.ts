import { expect, test } from 'vitest'
import { createInstanceLimit } from '../../../../src/http/instance-limit.ts'
import { startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'

test('a key that was refused too often waits for the next window, and only that key', async () => {
  const clock = new TestClock()
  const gateway = await startGateway({
    clock: clock.read,
    file: { limits: { refusalsPerKey: { max: 3, windowSeconds: 60 } } },
  })
  const careless = await PayingCustomer.join(gateway)
  const careful = await PayingCustomer.join(gateway)
  const call = (customer: PayingCustomer, key: string, body: object) =>
    gateway.call(customer.apiKey, '/v1/models/chat', key, body)
  for (let i = 0; i < 3; i++) expect((await call(careless, `wrong ${i}`, { prompt: '' })).status).toBe(400)

  const limited = await call(careless, 'right', { prompt: '你好' })
  expect(limited.status).toBe(429)
  expect(limited.body.error.code).toBe('RATE_LIMITED')
  expect(limited.headers['retry-after']).toBe('60')
  expect((await call(careful, 'right', { prompt: '你好' })).status).toBe(200)
  clock.advanceSeconds(60)
  expect((await call(careless, 'right', { prompt: '你好' })).status).toBe(200)
  await gateway.stop()
})

test('a window that ends later than one window from now is over', () => {
  let now = 100_000
  const limit = createInstanceLimit({ limit: { max: 1, windowSeconds: 10 }, clock: () => now })
  limit.count('key')
  expect(() => limit.check('key')).toThrow()
  now = 50_000
  expect(() => limit.check('key')).not.toThrow()
})

test('the number of remembered keys is bounded', () => {
  const limit = createInstanceLimit({ limit: { max: 1, windowSeconds: 10 }, clock: () => 0, maxIds: 2 })
  for (const key of ['a', 'b', 'c']) limit.count(key)
  expect(() => limit.check('a')).not.toThrow()
  expect(() => limit.check('c')).toThrow()
})

test('a session that reads too often waits for the next window, and only that session', async () => {
  const clock = new TestClock()
  const gateway = await startGateway({
    clock: clock.read,
    file: { limits: { readsPerSession: { max: 3, windowSeconds: 60 } } },
  })
  const eager = await PayingCustomer.join(gateway)
  const calm = await PayingCustomer.join(gateway)
  const read = async ({ browser }: PayingCustomer, path: string) => {
    const { status, headers, body } = await browser.get(path)
    return { status, code: body.error?.code, retryAfter: headers['retry-after'] }
  }
  const paths = ['/v1/me', '/v1/keys', '/v1/console/overview']
  for (const path of paths) expect((await read(eager, path)).status).toBe(200)

  for (const path of paths) {
    expect(await read(eager, path)).toEqual({ status: 429, code: 'RATE_LIMITED', retryAfter: '60' })
  }
  expect((await read(calm, '/v1/me')).status).toBe(200)
  // Writes have a limit of their own.
  await eager.browser.createKey(['models:invoke'])
  clock.advanceSeconds(60)
  expect((await read(eager, '/v1/me')).status).toBe(200)
  await gateway.stop()
})
