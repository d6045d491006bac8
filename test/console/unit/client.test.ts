import { expect, test } from 'vitest'
import { createClient } from '../../../console/src/api/client.ts'
import type { orderOperations } from '../../../src/contract/operations/account.ts'
import type { namedKeyOperations } from '../../../src/features/identity/keys/contract.ts'
import type { reportOperations } from '../../../src/features/records/reports/operations.ts'

type Operations =
  | (typeof orderOperations)[number]
  | (typeof namedKeyOperations)[number]
  | (typeof reportOperations)[number]

/** A client whose requests are recorded and answered with `response`. */
function recorded(response = Response.json({ items: [], nextAfter: null })) {
  const sent: Request[] = []
  const client = createClient<Operations, '/v1'>({
    baseUrl: 'http://gateway.example/v1',
    fetch: async (request) => {
      sent.push(request)
      return response
    },
  })
  return { client, sent }
}

test('a read carries its query, without what is undefined, and no token', async () => {
  const { client, sent } = recorded()
  client.token.keep('token')
  const { data } = await client.GET('/console/usage', { params: { query: { limit: 25, id: 'a b&c' } } })
  expect(sent[0]!.url).toBe('http://gateway.example/v1/console/usage?limit=25&id=a+b%26c')
  expect(sent[0]!.headers.get('x-csrf-token')).toBeNull()
  expect(data?.items).toEqual([])
})

test('a write carries its body, the names of its path, the Idempotency-Key and the token', async () => {
  const { client, sent } = recorded()
  client.token.keep('token')
  await client.POST('/console/keys/{keyId}/rotate', {
    params: { path: { keyId: 'key/1' }, header: { 'Idempotency-Key': 'intent' } },
    body: { graceSeconds: 60 },
  })
  const [request] = sent
  expect(request!.url).toBe('http://gateway.example/v1/console/keys/key%2F1/rotate')
  expect(await request!.json()).toEqual({ graceSeconds: 60 })
  expect(Object.fromEntries(request!.headers)).toMatchObject({
    'content-type': 'application/json',
    'idempotency-key': 'intent',
    'x-csrf-token': 'token',
  })
})

test.each([
  [JSON.stringify({ error: { code: 'NOT_FOUND' } }), { error: { code: 'NOT_FOUND' } }],
  ['<html>502</html>', '<html>502</html>'],
])('a refusal %s is an error, from any sender', async (text, error) => {
  const { client } = recorded(new Response(text, { status: 502 }))
  expect(await client.GET('/console/overview')).toMatchObject({ error, response: { status: 502 } })
})

/** Only compiled. */
async function mistakes() {
  const { client } = recorded()
  // @ts-expect-error there is no such path
  await client.GET('/console/overviews')
  // @ts-expect-error not POST
  await client.POST('/console/overview')
  // @ts-expect-error a required field is missing
  await client.POST('/orders', { params: { header: { 'Idempotency-Key': 'x' } }, body: {} })
  // @ts-expect-error a field of another type
  await client.POST('/orders', { params: { header: { 'Idempotency-Key': 'x' } }, body: { amountFen: '100' } })
  // @ts-expect-error the Idempotency-Key is required
  await client.POST('/orders', { body: { amountFen: 100 } })
  // @ts-expect-error the path needs an id
  await client.POST('/orders/{orderId}/confirm', { body: {} })
  // @ts-expect-error an unknown filter
  await client.GET('/console/usage', { params: { query: { colour: 'red' } } })
  // @ts-expect-error a value that the filter does not have
  await client.GET('/console/usage', { params: { query: { state: 'lost' } } })
  const { data } = await client.GET('/console/overview')
  // @ts-expect-error a field that the response does not have
  return data?.cost
}

test('the types refuse what the contract does not have', () => {
  expect(mistakes).toBeTypeOf('function')
})
