import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../src/providers/outcome.ts'
import type { ShopProvider } from '../../../src/providers/shopping/shop-provider.ts'
import { createHttpCaller } from '../../../src/providers/upstream.ts'
import { forward } from '../../../src/relay/operations/operation.ts'
import { createSearchCache, createShopSearch, type Shops } from '../../../src/relay/operations/search.ts'
import { behaves, closedPort, startUpstream } from '../../../testkit/providers/upstream.ts'

const broken = new TypeError('broken on purpose')
const uncertain = { kind: 'uncertain', reason: 'ADAPTER_FAILED_AFTER_SENDING', sent: true }
const released = { kind: 'refused', code: 'ADAPTER_FAILURE', sent: false }

type Search = ShopProvider['search']

function searchOf(...searches: Search[]) {
  const isOut = { value: false }
  const shops = searches.map((search, index): [string, ShopProvider] => [
    `shop_${index}`,
    // Without the calls that a search does not make.
    {
      leavesProcess: true,
      isOut: () => isOut.value,
      search,
      close: async () => {},
    } as Partial<ShopProvider> as ShopProvider,
  ])
  const cache = createSearchCache({ cacheSeconds: 0, cachePerProject: 1, clock: () => 0 })
  const options: Shops = { mode: 'pick-http', providers: new Map(shops) }
  return { isOut, ...createShopSearch<'pick.search'>(options, cache) }
}

describe('an exception of our own', () => {
  const perform = (...searches: Search[]): Promise<Outcome<unknown>> =>
    forward({ prepared: searchOf(...searches).prepare({ query: 'x' }), principal: { projectId: 'prj_1' } }, () => {})

  it('an exception of our own releases the charge if nothing was sent, and holds it for review if something was', async () => {
    const before: Search = async () => Promise.reject(broken)
    const after: Search = async (...[, , , onSending]) => {
      onSending?.()
      throw broken
    }
    expect(await perform(before)).toEqual(released)
    expect(await perform(after)).toEqual(uncertain)
  })

  it('an exception of our own holds the charge for review if another shop is sent to after it', async () => {
    const { promise: failed, reject: fail } = Promise.withResolvers<never>()
    const later: Search = async (...[, , , onSending]) => {
      await failed.catch(() => {})
      await new Promise(setImmediate)
      onSending?.()
      return { kind: 'confirmed', value: [] }
    }
    fail(broken)
    expect(await perform(() => failed, later)).toEqual(uncertain)
  })

  it('an exception of our own is judged by what was sent, not by whether an operator took the provider out of service since', () => {
    const { prepare, isOut } = searchOf(async () => expect.fail())
    isOut.value = true
    expect(prepare({ query: 'x' }).leavesProcess).toBe(true)
  })
})

it('a call says that it is sent just before its bytes can leave, and never if there is no connection', async () => {
  const upstream = await startUpstream()
  upstream.program(behaves.hang())
  const ask = async (baseUrl: string, onSending: () => void) => {
    const caller = createHttpCaller({ baseUrl, maxConcurrent: 1, timeoutMs: 30_000 })
    const request = { projectId: 'prj_1', path: '/', method: 'POST', body: {} } as const
    return { caller, result: caller.exchangeJson({ ...request, onSending }) }
  }
  let isSent = false
  const { caller, result } = await ask(upstream.url, () => {
    isSent = true
  })
  await upstream.received(1)
  expect(isSent).toBe(true)
  await caller.close()
  expect((await result).event).toBe('reset')
  await upstream.close()

  const unreachable = await ask(`http://127.0.0.1:${await closedPort()}`, () => expect.fail('nothing was sent'))
  expect((await unreachable.result).event).toBe('unreachable')
  await unreachable.caller.close()
})
