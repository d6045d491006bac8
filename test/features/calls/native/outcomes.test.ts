import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ErrorCode, errors } from '../../../../src/contract/errors.ts'
import { type BillableOperation, prices } from '../../../../src/contract/prices.ts'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { expectInContract, expectRefusal } from '../../../../testkit/gateway/contract-check.ts'
import { type Gateway, type HttpResponse, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { startSilentServer } from '../../../../testkit/http/silent-server.ts'
import { goodProvider, linkHost } from '../../../../testkit/providers/good-provider.ts'
import {
  operationsByPath as forwarding,
  forwardingOperations,
  operationRows,
  rightRequest,
} from '../../../../testkit/providers/operation-rows.ts'
import { behaves, closedPort, startUpstream, type Upstream } from '../../../../testkit/providers/upstream.ts'
import { type Database, httpEngines, migratedDatabase, openDatabase } from '../../../../testkit/store/engines.ts'
import { type OutcomeRow, outcomeRows, ownRows } from './outcome-rows.ts'

type Place = 'a' | 'b' | 'c'

const requestAt = (operation: BillableOperation, place: Place): object =>
  rightRequest(operation, { shop: `shop_provider_${place}`, model: `model_provider_${place}` })

const upstreamOf = (operation: BillableOperation) => operationRows[operation].upstream!

/** They forward to a path that another operation forwards to. */
const sharingPaths = forwardingOperations.filter((operation) => !forwarding.includes(operation))

describe.each(httpEngines)('how a call ends on %s', (engine) => {
  let upstream: Upstream
  let silent: Awaited<ReturnType<typeof startSilentServer>>
  let database: Database
  let gateway: Gateway
  /** One per operation, so that operations can run in parallel. */
  let payers: Partial<Record<BillableOperation, PayingCustomer>>

  beforeAll(async () => {
    upstream = await startUpstream(goodProvider)
    silent = await startSilentServer()
    database = await migratedDatabase(engine)
    // Provider a has a long timeout, b a short one, and c opens its circuit at the second failure.
    gateway = await startGateway({
      database,
      file: config({
        a: { baseUrl: upstream.url },
        b: { baseUrl: upstream.url, timeoutMs: 1000 },
        c: { baseUrl: upstream.url, breaker: { failures: 2, coolSeconds: 3600 } },
      }),
    })
    const joined = await Promise.all(forwarding.map(() => PayingCustomer.join(gateway)))
    payers = Object.fromEntries(forwarding.map((operation, i) => [operation, joined[i]!]))
    // What the others read.
    for (const payer of joined)
      for (const place of ['a', 'b', 'c'] as const)
        expect((await payer.call('pick.search', requestAt('pick.search', place))).status).toBe(200)
  })
  beforeEach(() => upstream.program(goodProvider))
  afterAll(async () => {
    await gateway.stop()
    const store = await openDatabase(database)
    const report = await reconcile(store)
    await store.close()
    await database.remove()
    await silent.close()
    await upstream.close()
    expect(report).toMatchObject({ isSound: true, differences: [] })
    expect(report.size.charges).toBeGreaterThan(100)
  })

  const arrivals = (operation: BillableOperation) =>
    upstream.calls.filter(({ path }) => path.endsWith(upstreamOf(operation).path)).length

  /** Makes a call; returns how the credits moved and how often the upstream was called. */
  async function watch(operation: BillableOperation, call: () => Promise<HttpResponse>) {
    const [before, arrived] = [await payers[operation]!.credits(), arrivals(operation)]
    const response = await call()
    const after = await payers[operation]!.credits()
    return {
      response,
      asked: arrivals(operation) - arrived,
      moved: { available: after.available - before.available, reserved: after.reserved - before.reserved },
    }
  }

  /** Checks the response and the cost of a call; returns the check of its replay. */
  async function expectEnding(operation: BillableOperation, { ends, waits }: OutcomeRow): Promise<() => Promise<void>> {
    const payer = payers[operation]!
    const [key, price] = [payer.newKey(), prices[operation].credits]
    const call = () => payer.call(operation, requestAt(operation, waits ? 'b' : 'a'), key)
    const { response, ...effect } = await watch(operation, call)
    const code = typeof ends === 'string' ? ends : ends[upstreamOf(operation).kind]
    if (code === 'review') expectReview(operation, response)
    else expectRefusal(operation, response, code)
    expect(response.headers['idempotent-replayed']).toBeUndefined()
    expect(response.headers['x-charge-id']).toMatch(/^chg_/)
    if (code !== 'review')
      expect(response.headers['retry-hint']).toBe(errors[code].repeat === 'never' ? 'never' : 'new-key')
    expect(effect).toEqual({ asked: 1, moved: code === 'review' ? { available: -price, reserved: price } : nothing })

    return async () => {
      const { response: replay, ...none } = await watch(operation, call)
      expect(replay.headers['idempotent-replayed']).toBe('true')
      for (const name of ['x-charge-id', 'x-should-retry', 'retry-hint', 'retry-after'])
        expect({ name, value: replay.headers[name] }).toEqual({ name, value: response.headers[name] })
      expect({ status: replay.status, text: replay.text }).toEqual({ status: response.status, text: response.text })
      expect(none).toEqual({ asked: 0, moved: nothing })
    }
  }

  /** The outcome is stored: the provider is healthy afterwards and still not called again. */
  async function expectOutcome(operations: readonly BillableOperation[], row: OutcomeRow): Promise<void> {
    upstream.program(row.behaviour)
    const replays = await Promise.all(operations.map((operation) => expectEnding(operation, row)))
    upstream.program(goodProvider)
    await Promise.all(replays.map((expectReplay) => expectReplay()))
  }

  it.each(outcomeRows)('$name', (row) => expectOutcome(forwarding, row))

  it.each(ownRows)('$of: $name', (row) => expectOutcome([row.of], row))

  it.each(forwarding)('%s: a good response is settled and replayed', async (operation) => {
    const payer = payers[operation]!
    const key = payer.newKey()
    const call = () => payer.call(operation, requestAt(operation, 'a'), key)
    const { response, ...effect } = await watch(operation, call)
    expect(response.status).toBe(200)
    expectInContract(operation, response)
    expect(effect).toEqual({ asked: 1, moved: { available: -prices[operation].credits, reserved: 0 } })
    const { response: replay, ...none } = await watch(operation, call)
    expect(replay.text).toBe(response.text)
    expect(response.headers['x-charge-id']).toMatch(/^chg_/)
    expect(replay.headers['x-charge-id']).toBe(response.headers['x-charge-id'])
    expect(none).toEqual({ asked: 0, moved: nothing })
  })

  it.each(sharingPaths)('%s: an uncertain outcome is held at its own price, and replayed', async (operation) => {
    const [request, price] = [requestAt(operation, 'a'), prices[operation].credits]
    const payer = payers['pick.search']!
    const [key, before, arrived] = [payer.newKey(), await payer.credits(), upstream.calls.length]
    upstream.program(behaves.reset())
    const response = await payer.call(operation, request, key)
    expect(response.status).toBe(202)
    expectInContract(operation, response)
    expect(response.body).toMatchObject({ operation, reservedCredits: price })
    upstream.program(goodProvider)
    expect((await payer.call(operation, request, key)).text).toBe(response.text)
    expect(upstream.calls).toHaveLength(arrived + 1)
    expect(await payer.credits()).toEqual({
      available: before.available - price,
      reserved: before.reserved + price,
    })
  })

  it('model.chat: a very long response is stored whole', async () => {
    const content = '长'.repeat(300_000)
    upstream.program(behaves.respond(200, { choices: [{ message: { content } }] }))
    const payer = payers['model.chat']!
    const key = payer.newKey()
    const call = () => payer.call('model.chat', requestAt('model.chat', 'a'), key)
    const response = await call()
    expect(response.body.data.output).toBe(content)
    expect((await call()).text).toBe(response.text)
  })

  /** A refusal before sending: no charge, no upstream call, and the key is free even for another request. */
  async function expectNotSent(operation: BillableOperation, code: ErrorCode, place: Place, healthy: Place = 'a') {
    const payer = payers[operation]!
    const key = payer.newKey()
    const { response, ...effect } = await watch(operation, () =>
      payer.call(operation, requestAt(operation, place), key),
    )
    expectRefusal(operation, response, code)
    expect(response.headers['retry-hint']).toBe(errors[code].repeat === 'wait' ? 'same-key' : 'never')
    expect(effect).toEqual({ asked: 0, moved: nothing })
    upstream.program(goodProvider)
    const other = await watch(operation, () => payer.call(operation, requestAt(operation, healthy), key))
    expect(other.response.status).toBe(200)
    expect(other.response.headers['idempotent-replayed']).toBeUndefined()
    expect(other).toMatchObject({ asked: 1, moved: { available: -prices[operation].credits, reserved: 0 } })
  }

  it.each(forwarding)('%s: a call is refused before sending when all places are taken', async (operation) => {
    const payer = payers[operation]!
    upstream.program(behaves.hang())
    const [arrived, before] = [upstream.calls.length, await payer.credits()]
    // Each of the projects that use the provider gets an equal share of its places.
    const own = payer.call(operation, requestAt(operation, 'a'))
    const otherOperation = upstreamOf(operation).kind === 'model' ? 'model.chat' : 'pick.search'
    const others = forwarding
      .filter((other) => other !== operation)
      .map((other) => payers[other]!.call(otherOperation, requestAt(otherOperation, 'a')))
    await upstream.received(arrived + maxConcurrent)
    await expectNotSent(operation, 'PROVIDER_CAPACITY_EXHAUSTED', 'a', 'b')
    await upstream.dropConnections()
    expectReview(operation, await own)
    for (const response of await Promise.all(others)) expectReview(otherOperation, response)
    const price = prices[operation].credits
    expect(await payer.credits()).toEqual({
      available: before.available - 2 * price,
      reserved: before.reserved + price,
    })
  })

  it('model.chat: a call is refused before sending while the circuit is open', async () => {
    const payer = payers['model.chat']!
    upstream.program(behaves.respond(500))
    for (let failure = 0; failure < 2; failure += 1) {
      expectRefusal('model.chat', await payer.call('model.chat', requestAt('model.chat', 'c')), 'PROVIDER_UNAVAILABLE')
    }
    await expectNotSent('model.chat', 'PROVIDER_CIRCUIT_OPEN', 'c')
  })

  describe('with one unreachable provider and one that is disabled', () => {
    beforeAll(async () => {
      await restart({ a: { baseUrl: upstream.url }, b: { baseUrl: `http://127.0.0.1:${await closedPort()}` }, c: null })
    })

    it.each(forwarding)('%s: a refused connection costs nothing and frees the key', (operation) =>
      expectNotSent(operation, 'PROVIDER_UNAVAILABLE', 'b'),
    )
    it.each(forwarding)('%s: a disabled provider costs nothing and frees the key', (operation) =>
      expectNotSent(operation, 'PROVIDER_DISABLED', 'c'),
    )
  })

  describe('with one provider that never completes a connection and one without its credential', () => {
    beforeAll(async () => {
      await restart({
        a: { baseUrl: upstream.url, apiKeyEnv: 'PROVIDER_KEY' },
        b: { baseUrl: silent.url, timeoutMs: 300 },
        c: { baseUrl: upstream.url, apiKeyEnv: 'NOT_SET' },
      })
    })

    it.each(forwarding)('%s: a timeout while connecting costs nothing and frees the key', (operation) =>
      expectNotSent(operation, 'PROVIDER_UNAVAILABLE', 'b'),
    )
    it.each(forwarding)('%s: a missing credential costs nothing and frees the key', (operation) =>
      expectNotSent(operation, 'PROVIDER_AUTH_REQUIRED', 'c'),
    )
    it('a credential goes to the provider and nowhere else', async () => {
      expect(upstream.calls.at(-1)!.authorization).toBe('Bearer sk-of-the-provider')
      expect(gateway.log.join('')).not.toContain('sk-of-the-provider')
    })
  })

  async function restart(places: Record<Place, object | null>): Promise<void> {
    await gateway.stop()
    gateway = await startGateway({
      database,
      file: config(places),
      environment: { PROVIDER_KEY: 'sk-of-the-provider' },
    })
    payers = Object.fromEntries(forwarding.map((operation) => [operation, payers[operation]!.at(gateway)]))
  }
})

const nothing = { available: 0, reserved: 0 }
const maxConcurrent = forwarding.length

function expectReview(operation: BillableOperation, response: HttpResponse): void {
  expect(response).toMatchObject({ status: 202 })
  expectInContract(operation, response)
  expect(response.body).toEqual({
    status: 'manual_review',
    operation,
    reservedCredits: prices[operation].credits,
    chargeId: expect.stringMatching(/^chg_[A-Za-z0-9]+$/),
  })
}

/** The same providers for models and shops; null is disabled. */
function config(places: Record<Place, object | null>): object {
  const entries = Object.entries(places)
  const model = (place: object | null) =>
    place
      ? { adapter: 'openai', models: { fast: 'upstream-fast' }, maxConcurrent, breaker: { failures: 1000 }, ...place }
      : { adapter: 'disabled' }
  const shop = (place: object | null) => {
    const { breaker, ...settings } = { breaker: undefined, baseUrl: 'http://127.0.0.1:1', ...place }
    return { linkHosts: [linkHost], maxConcurrent, disabled: place === null, ...settings }
  }
  return {
    models: { providers: Object.fromEntries(entries.map(([place, its]) => [`model_provider_${place}`, model(its)])) },
    shopping: {
      mode: 'pick-http',
      cacheSeconds: 0,
      providers: Object.fromEntries(entries.map(([place, its]) => [`shop_provider_${place}`, shop(its)])),
    },
  }
}
