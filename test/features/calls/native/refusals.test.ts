import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../../../src/contract/errors.ts'
import { type BillableOperation, billableOperations, prices } from '../../../../src/contract/prices.ts'
import { contractOf, expectRefusal } from '../../../../testkit/gateway/contract-check.ts'
import { type Gateway, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { goodProvider } from '../../../../testkit/providers/good-provider.ts'
import { maxPromptChars, operationRows } from '../../../../testkit/providers/operation-rows.ts'
import { closedPort, startUpstream, type Upstream } from '../../../../testkit/providers/upstream.ts'
import { type Database, type EngineName, httpEngines, migratedDatabase } from '../../../../testkit/store/engines.ts'
import { provocations } from './provocations.ts'

/** Codes that no single request can cause. */
const beyondRequests = (operation: BillableOperation): ErrorCode[] => [
  // A failure of the service itself.
  'INTERNAL_ERROR',
  // These call no provider: only thousands of calls at once meet it, when the batch queue is full.
  ...(operationRows[operation].upstream ? [] : (['PROVIDER_CAPACITY_EXHAUSTED'] as const)),
]

/** Decided before the store is used: one engine is enough. */
const transport: ErrorCode[] = [
  'REQUEST_TARGET_INVALID',
  'REQUEST_HEADERS_INVALID',
  'REQUEST_HEADERS_TOO_LARGE',
  'HTTP_VERSION_UNSUPPORTED',
  'TRANSFER_ENCODING_UNSUPPORTED',
  'CONTENT_LENGTH_INVALID',
  'HOST_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'REQUEST_TIMEOUT',
]

const rowsOn = (engine: EngineName) =>
  billableOperations.flatMap((operation) =>
    contractOf
      .get(operation)!
      .errors.filter((code) => !beyondRequests(operation).includes(code))
      .filter((code) => engine === httpEngines[0] || !transport.includes(code))
      .map((code) => [operation, code] as const),
  )

/** What the calls before a refusal cost; the refusal itself is free. */
const spentOnTheWay: Partial<Record<ErrorCode, (operation: BillableOperation) => object>> = {
  // The call that holds the last place is cut off and stays reserved.
  PROVIDER_CAPACITY_EXHAUSTED: (operation) => ({
    available: -prices[operation].credits,
    reserved: prices[operation].credits,
  }),
  // The operation that used the key first.
  IDEMPOTENCY_CONFLICT: (operation) => ({ available: operation === 'model.chat' ? -2 : -3, reserved: 0 }),
}

describe.each(httpEngines)('every refusal in the contract on %s', (engine) => {
  const clock = new TestClock()
  let upstream: Upstream
  let database: Database
  let gateway: Gateway
  let strict: Gateway
  let customer: PayingCustomer

  beforeAll(async () => {
    upstream = await startUpstream(goodProvider)
    database = await migratedDatabase(engine)
    const serving = await startGateway({ database, clock: clock.read, file: servingConfig(upstream) })
    const joined = await PayingCustomer.join(serving)
    for (const shop of ['shop_provider_a', 'shop_provider_b', 'shop_provider_c'])
      await joined.call('pick.search', { query: '杯', provider: shop })
    await serving.stop()

    gateway = await startGateway({ database, clock: clock.read, file: failingConfig(upstream) })
    customer = joined.at(gateway)
    strict = await startGateway({ engine, clock: clock.read, file: strictConfig(await closedPort()) })
  })
  afterAll(async () => {
    await Promise.all([gateway.stop(), strict.stop()])
    await database.remove()
    await upstream.close()
  })

  it.each(rowsOn(engine))('%s responds %s', async (operation, code) => {
    const provoke = provocations[code]
    expect(provoke, `no provocation for ${code}`).toBeDefined()
    const before = await customer.credits()
    const response = await provoke!({ operation, gateway, database, customer, upstream, strict, clock })
    expectRefusal(operation, response, code)
    const after = await customer.credits()
    const spent = { available: after.available - before.available, reserved: after.reserved - before.reserved }
    expect(spent).toEqual(spentOnTheWay[code]?.(operation) ?? { available: 0, reserved: 0 })
  })
})

const shop = ({ url }: Upstream, changes: object = {}) => ({
  baseUrl: url,
  linkHosts: ['item.shop.example'],
  maxConcurrent: 1,
  ...changes,
})

function servingConfig(upstream: Upstream): object {
  const providers = Object.fromEntries(
    ['shop_provider_a', 'shop_provider_b', 'shop_provider_c'].map((name) => [name, shop(upstream)]),
  )
  return { shopping: { mode: 'pick-http', providers } }
}

/** The test controls the first provider; the second has no credential; the third is disabled. */
function failingConfig(upstream: Upstream): object {
  const model = {
    adapter: 'openai',
    baseUrl: upstream.url,
    models: { fast: 'upstream-fast' },
    maxPromptChars,
    maxConcurrent: 1,
    breaker: { failures: 1000 },
  }
  return {
    models: {
      providers: {
        model_provider_a: model,
        model_provider_b: { ...model, apiKeyEnv: 'NOT_SET' },
        model_provider_c: { adapter: 'disabled' },
      },
    },
    shopping: {
      mode: 'pick-http',
      cacheSeconds: 0,
      providers: {
        shop_provider_a: shop(upstream),
        shop_provider_b: shop(upstream, { apiKeyEnv: 'NOT_SET' }),
        shop_provider_c: shop(upstream, { disabled: true }),
      },
    },
  }
}

function strictConfig(unusedPort: number): object {
  const model = {
    adapter: 'openai',
    baseUrl: `http://127.0.0.1:${unusedPort}`,
    models: { fast: 'upstream-fast' },
    breaker: { failures: 1 },
  }
  return {
    models: { providers: { model_provider_a: model } },
    limits: { callsPerKey: { max: 2, windowSeconds: 60 } },
    keys: { lifetimeSeconds: 3600 },
    server: { bodyDeadlineMs: 500 },
  }
}
