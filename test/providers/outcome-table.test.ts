import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { businessOperations } from '../../src/contract/operations/business.ts'
import { createModel } from '../../src/providers/models/create-model.ts'
import type { Outcome } from '../../src/providers/outcome.ts'
import { failureOf, outcomeTable, type UpstreamEvent } from '../../src/providers/outcome.ts'
import { createHttpShop } from '../../src/providers/shopping/http.ts'
import { startSilentServer } from '../../testkit/http/silent-server.ts'
import { forwardingOperations, operationRows } from '../../testkit/providers/operation-rows.ts'
import { httpModelSettings } from '../../testkit/providers/protocols.ts'
import { providerNames } from '../../testkit/providers/provider-names.ts'
import { behaves, closedPort, startUpstream, type Upstream } from '../../testkit/providers/upstream.ts'
import { upstreamFaults } from '../../testkit/providers/upstream-faults.ts'

const timeoutMs = 30_000
const secret = 'sk-very-secret-0123456789'
const credential = () => secret

/** For each kind of provider: create one for a base URL, and make one call. */
const kinds = {
  model: (baseUrl: string, maxConcurrent = 4) => {
    const settings = { apiKeyEnv: 'KEY', timeoutMs, maxConcurrent, breaker: { failures: 1000, coolSeconds: 30 } }
    const model = createModel(httpModelSettings(baseUrl, settings), credential)
    const body = { messages: [{ role: 'user', content: '你好' }] }
    return { call: () => model.complete({ model: 'fast', body, projectId: 'prj_1' }), close: model.close }
  },
  shop: (baseUrl: string, maxConcurrent = 4) => {
    const shop = createHttpShop(
      'shop_a',
      { baseUrl, apiKeyEnv: 'KEY', linkHosts: ['item.example'], timeoutMs, maxConcurrent, disabled: false },
      credential,
    )
    const query = { query: '杯', maxPriceCents: undefined, sort: 'relevance', limit: 3 } as const
    return { call: () => shop.search(query, 'prj_1'), close: shop.close }
  },
}
const good = {
  model: { choices: [{ message: { role: 'assistant', content: '你好' } }] },
  shop: { items: [] },
}

let upstream: Upstream
beforeEach(async () => {
  upstream = await startUpstream()
})
afterEach(async () => {
  vi.useRealTimers()
  await upstream.close()
})

describe.each(['model', 'shop'] as const)('a %s provider', (kind) => {
  it.each(upstreamFaults)('a provider ends $name as $event', async ({ event, behaviour, waits }) => {
    if (waits) vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    upstream.program(behaviour)
    const provider = kinds[kind](upstream.url)
    const ending = provider.call()
    if (waits) {
      await upstream.received(1)
      await vi.advanceTimersByTimeAsync(timeoutMs)
    }
    expectRow(await ending, kind, event)
    expect(upstream.calls).toHaveLength(1)
    await provider.close()
  })

  it('a provider ends a refused connection as unreachable, with nothing sent', async () => {
    const provider = kinds[kind](`http://127.0.0.1:${await closedPort()}`)
    expectRow(await provider.call(), kind, 'unreachable')
    await provider.close()
  })

  it('a provider ends an unknown name as unreachable, with nothing sent', async () => {
    const provider = kinds[kind]('http://no-such-host.invalid')
    expectRow(await provider.call(), kind, 'unreachable')
    await provider.close()
  })

  it('a provider ends a connection that is not established in time as unreachable, with nothing sent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const silent = await startSilentServer()
    const provider = kinds[kind](silent.url)
    const ending = provider.call()
    await silent.connected
    await vi.advanceTimersByTimeAsync(timeoutMs)
    expectRow(await ending, kind, 'unreachable')
    await provider.close()
    await silent.close()
  })

  it('a provider closing ends a connection that is still being established', async () => {
    // No timer fires here: only closing can end the connection.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const silent = await startSilentServer()
    const provider = kinds[kind](silent.url)
    const ending = provider.call()
    await silent.connected
    await provider.close()
    await silent.close()
    expectRow(await ending, kind, 'unreachable')
  })

  it('a provider refuses a call when all places are taken, sends nothing, and frees the places afterwards', async () => {
    upstream.program(behaves.hang())
    const provider = kinds[kind](upstream.url, 2)
    const first = [provider.call(), provider.call()]
    await upstream.received(2)
    expectRow(await provider.call(), kind, 'capacityExhausted')
    expect(upstream.calls).toHaveLength(2)
    await upstream.dropConnections()
    for (const outcome of await Promise.all(first)) expectRow(outcome, kind, 'reset')
    upstream.program(behaves.respond(200, good[kind]))
    expect((await provider.call()).kind).toBe('confirmed')
    await provider.close()
  })

  it('a provider frees its place after every kind of outcome', async () => {
    const provider = kinds[kind](upstream.url, 1)
    for (const { name, behaviour } of upstreamFaults.filter(({ waits }) => !waits)) {
      upstream.program(behaviour)
      expect(await outcomeWithPlace(provider.call), name).not.toMatchObject({ kind: 'confirmed' })
    }
    upstream.program(behaves.respond(200, good[kind]))
    expect(await outcomeWithPlace(provider.call)).toMatchObject({ kind: 'confirmed' })
    await provider.close()
  })

  it('a provider frees its place although the body of a refusal never ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    upstream.program(behaves.hangInBody(422), behaves.respond(200, good[kind]))
    const provider = kinds[kind](upstream.url, 1)
    expectRow(await provider.call(), kind, 'requestRejected')
    expectRow(await provider.call(), kind, 'capacityExhausted')
    await vi.advanceTimersByTimeAsync(1000)
    expect((await provider.call()).kind).toBe('confirmed')
    await provider.close()
  })

  it('a provider never resends when the peer resets a kept connection as the request arrives', async () => {
    upstream.program(behaves.respond(200, good[kind]), behaves.reset())
    const provider = kinds[kind](upstream.url)
    expect((await provider.call()).kind).toBe('confirmed')
    await untilKept()
    expectRow(await provider.call(), kind, 'reset')
    expect(upstream.calls).toHaveLength(2)
    expect(upstream.connections()).toBe(1)
    await provider.close()
  })

  it('a provider opens a new connection when the peer closed the kept one between two calls', async () => {
    upstream.program(behaves.respond(200, good[kind]))
    const provider = kinds[kind](upstream.url)
    expect((await provider.call()).kind).toBe('confirmed')
    await untilKept()
    await upstream.dropConnections()
    expect((await provider.call()).kind).toBe('confirmed')
    expect(upstream.calls).toHaveLength(2)
    await provider.close()
  })

  it('a provider keeps the connection of a call that was refused', async () => {
    upstream.program(behaves.respond(400), behaves.respond(429), behaves.respond(200, good[kind]))
    const provider = kinds[kind](upstream.url, 1)
    for (let sent = 1; sent <= 3; sent += 1) await outcomeWithPlace(provider.call)
    expect(upstream.calls).toHaveLength(3)
    expect(upstream.connections()).toBe(1)
    await provider.close()
  })

  it('a provider ignores an interim response before the final one', async () => {
    upstream.program((wire, call) => {
      wire.write('HTTP/1.1 103 Early Hints\r\n\r\n')
      behaves.respond(200, good[kind])(wire, call)
    })
    const provider = kinds[kind](upstream.url)
    expect((await provider.call()).kind).toBe('confirmed')
    await provider.close()
  })

  it('a provider accepts a complete response without a length', async () => {
    upstream.program(behaves.respondUnframed(good[kind]))
    const provider = kinds[kind](upstream.url)
    expect((await provider.call()).kind).toBe('confirmed')
    await provider.close()
  })

  it('a provider ends a call that is under way when it is closed as uncertain', async () => {
    upstream.program(behaves.hang())
    const provider = kinds[kind](upstream.url)
    const ending = provider.call()
    await upstream.received(1)
    await provider.close()
    expectRow(await ending, kind, 'reset')
    expectRow(await provider.call(), kind, 'unreachable')
  })

  it('a provider never follows a redirect', async () => {
    await using elsewhere = await startUpstream(behaves.respond(200, good[kind]))
    upstream.program(behaves.redirect(307, `${elsewhere.url}/search`))
    const provider = kinds[kind](upstream.url)
    expectRow(await provider.call(), kind, 'redirected')
    expect(elsewhere.connections()).toBe(0)
    await provider.close()
  })

  it('a provider sends the credential as a bearer token and reveals it nowhere else', async () => {
    upstream.program(behaves.respond(401, { error: `bad key ${secret}` }), behaves.respond(200, `{"key": "${secret}"}`))
    const provider = kinds[kind](upstream.url)
    const outcomes = [await provider.call(), await provider.call()]
    expect(upstream.calls.map((call) => call.authorization)).toEqual([`Bearer ${secret}`, `Bearer ${secret}`])
    expect(JSON.stringify(outcomes)).not.toContain(secret)
    await provider.close()
  })
})

it('every line of the outcome table is documented in the decision record', () => {
  const decision = readFileSync(new URL('../../docs/decisions/0006-provider-outcomes.md', import.meta.url), 'utf8')
  for (const [event, row] of Object.entries(outcomeTable)) {
    const stated = decision.split('\n').find((line) => line.startsWith(`| \`${event}\` |`))
    expect(stated, event).toContain(row.when)
    const codes =
      'code' in row
        ? [row.code].flatMap((code) => (typeof code === 'string' ? code : Object.values(code)))
        : ['manual_review']
    for (const code of codes) expect(stated, event).toContain(code)
  }
})

it('every code of the outcome table is in the contract of the operations that can meet it', () => {
  const promised = new Map(businessOperations(providerNames).map(({ id, errors }) => [id, new Set<string>(errors)]))
  const codesOf = (kind: 'model' | 'shop', without: UpstreamEvent[]) =>
    (Object.keys(outcomeTable) as UpstreamEvent[])
      .filter((event) => !without.includes(event))
      .flatMap((event) => codeOf(failureOf(kind, event)) ?? [])
  for (const operation of forwardingOperations) {
    const { kind, path } = operationRows[operation].upstream!
    const without: UpstreamEvent[] = [
      ...(kind === 'shop' ? (['circuitOpen'] as const) : []),
      ...(path === '/links' ? [] : (['linkForbidden'] as const)),
    ]
    expect([...promised.get(operation)!], operation).toEqual(expect.arrayContaining(codesOf(kind, without)))
  }
})

/** The outcome of the first call that finds a free place; fails when none is freed. */
async function outcomeWithPlace(call: () => Promise<Outcome<unknown>>): Promise<Outcome<unknown>> {
  let outcome = await call()
  const isServed = async () => {
    if (codeOf(outcome) !== 'PROVIDER_CAPACITY_EXHAUSTED') return true
    outcome = await call()
    return false
  }
  await expect.poll(isServed, { interval: 10 }).toBe(true)
  return outcome
}

/** undici reuses a connection only one turn of the event loop after a response. */
async function untilKept(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

function codeOf(outcome: Outcome<unknown>): string | undefined {
  return 'code' in outcome ? outcome.code : undefined
}

function expectRow(outcome: Outcome<unknown>, kind: 'model' | 'shop', event: UpstreamEvent): void {
  const row = outcomeTable[event]
  if (row.kind === 'uncertain') {
    expect(outcome).toMatchObject({ kind: 'uncertain', sent: true, reason: row.reason })
    return
  }
  const code = typeof row.code === 'string' ? row.code : row.code[kind]
  expect(outcome).toMatchObject({ kind: row.kind, code, sent: row.sent })
}
