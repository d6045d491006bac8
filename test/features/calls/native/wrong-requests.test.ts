import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../../../src/contract/errors.ts'
import { billableOperations } from '../../../../src/contract/prices.ts'
import { expectRefusal } from '../../../../testkit/gateway/contract-check.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { goodProvider } from '../../../../testkit/providers/good-provider.ts'
import {
  maxPromptChars,
  rightRequest,
  unknownFields,
  wrongRequests,
} from '../../../../testkit/providers/operation-rows.ts'
import { startUpstream, type Upstream } from '../../../../testkit/providers/upstream.ts'
import { httpEngines } from '../../../../testkit/store/engines.ts'

const rows = billableOperations.flatMap((operation) =>
  Object.entries({ UNKNOWN_FIELDS: unknownFields(operation), ...wrongRequests(operation) }).map(
    ([code, requests]) => [operation, code as ErrorCode, requests] as const,
  ),
)

describe.each(httpEngines)('wrong requests on %s', (engine) => {
  let upstream: Upstream
  let gateway: Gateway
  let customer: PayingCustomer

  beforeAll(async () => {
    upstream = await startUpstream(goodProvider)
    const model = { adapter: 'openai', baseUrl: upstream.url, models: { fast: 'upstream-fast' }, maxPromptChars }
    const shop = { baseUrl: upstream.url, linkHosts: ['item.shop.example'] }
    gateway = await startGateway({
      engine,
      file: {
        models: { providers: { model_provider_a: model } },
        shopping: { mode: 'pick-http', providers: { shop_provider_a: shop } },
      },
    })
    customer = await PayingCustomer.join(gateway)
    await customer.call('pick.search', { query: 'what the pick operations read' })
  })
  afterAll(async () => {
    await gateway.stop()
    await upstream.close()
  })

  it.each(rows)('%s responds %s, charges nothing and calls no provider', async (operation, code, requests) => {
    const before = await customer.credits()
    const forwarded = upstream.calls.length
    const key = customer.newKey()
    for (const request of requests) {
      const body = JSON.stringify(request)
      const response = await customer.call(operation, request as object, key)
      expect({ body, code: response.body.error?.code }).toEqual({ body, code })
      expectRefusal(operation, response, code)
    }
    expect(await customer.credits()).toEqual(before)
    expect(upstream.calls).toHaveLength(forwarded)
    // The key is still free.
    expect((await customer.call(operation, rightRequest(operation), key)).status).toBe(200)
  })
})
