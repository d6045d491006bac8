import createClient from 'openapi-fetch'
import type { components, paths } from './schema.d.ts'

/**
 * A customer's program, written only against types that a public tool generated from /openapi.json.
 * generated-client.test.ts copies it beside the generated types, type-checks it and runs it.
 */
export async function buyEverything({ baseUrl, readCode }: { baseUrl: string; readCode(id: string): string }) {
  const client = createClient<paths>({ baseUrl })
  const Origin = baseUrl as paths['/v1/auth/send-code']['post']['parameters']['header']['Origin']

  const phone = '13912345678'
  const challenge = must(await client.POST('/v1/auth/send-code', { params: { header: { Origin } }, body: { phone } }))
  const registered = await client.POST('/v1/auth/register', {
    params: { header: { Origin } },
    body: {
      phone,
      challengeId: challenge.challengeId,
      verificationCode: readCode(challenge.challengeId),
      recoveryEmail: 'li@example.com',
      password: 'correct horse battery staple',
    },
  })
  const session = {
    headers: { cookie: registered.response.headers.getSetCookie()[0]!.split(';')[0]! },
    csrf: { Origin, 'X-CSRF-Token': must(registered).csrfToken },
  }

  const pricing = must(await client.GET('/v1/pricing'))
  const order = must(
    await client.POST('/v1/orders', {
      params: { header: { ...session.csrf, 'Idempotency-Key': crypto.randomUUID() } },
      headers: session.headers,
      body: { amountFen: pricing.minAmountFen * 10 },
    }),
  )
  const confirmed = must(
    await client.POST('/v1/orders/{orderId}/confirm', {
      params: { path: { orderId: order.orderId }, header: session.csrf },
      headers: session.headers,
      body: {},
    }),
  )
  const key = must(
    await client.POST('/v1/keys', {
      params: { header: session.csrf },
      headers: session.headers,
      body: { scopes: ['models:invoke', 'shopping:search', 'pick:read', 'pick:link', 'agent:run'] },
    }),
  )

  const authorized = { authorization: `Bearer ${key.apiKey}` }
  const intent = () => ({ headers: authorized, params: { header: { 'Idempotency-Key': crypto.randomUUID() } } })

  const chat = settled(must(await client.POST('/v1/models/chat', { ...intent(), body: { prompt: '你好' } })))
  const units: number = chat.usage.inputUnits + chat.usage.outputUnits
  const output: string = chat.data.output

  const search = { query: '保温杯', limit: 2, sort: 'price_asc' } as const
  const shopping = settled(must(await client.POST('/v1/shopping/search', { ...intent(), body: search })))
  const picked = settled(must(await client.POST('/v1/pick/search', { ...intent(), body: search })))
  const items: components['schemas']['Item'][] = picked.data.items
  const itemRefs = items.map((item) => item.itemRef)

  const filtered = settled(must(await client.POST('/v1/pick/filter', { ...intent(), body: { itemRefs } })))
  const compared = settled(must(await client.POST('/v1/pick/compare', { ...intent(), body: { itemRefs } })))
  const ranked = settled(
    must(
      await client.POST('/v1/pick/recommend', { ...intent(), body: { itemRefs, preferences: { priority: 'price' } } }),
    ),
  )
  const reviewed = settled(
    must(await client.POST('/v1/pick/prepurchase-review', { ...intent(), body: { itemRef: itemRefs[0]! } })),
  )
  const links = settled(must(await client.POST('/v1/pick/links', { ...intent(), body: { itemRefs } })))
  const agent = settled(
    must(
      await client.POST('/v1/agent/run', {
        ...intent(),
        body: { tool: 'pick.assist', arguments: { operation: 'compare', payload: { itemRefs } } },
      }),
    ),
  )
  const me = must(await client.GET('/v1/me', { headers: session.headers }))

  const refused = await client.POST('/v1/models/chat', { ...intent(), body: { prompt: ' ' } })
  const code: string | undefined = refused.error?.error.code

  return {
    credited: confirmed.creditedAmount,
    available: me.credits.available,
    charged: [chat, shopping, picked, filtered, compared, ranked, reviewed, links, agent].map((result) => ({
      operation: result.operation,
      credits: result.chargedCredits,
    })),
    responses: {
      output,
      units,
      prices: items.map((item) => item.priceCents),
      dimensions: compared.data.dimensions,
      best: ranked.data.items[0]?.title,
      checks: reviewed.data.checks.filter((check) => check.status === 'known').length,
      urls: links.data.items.map((link) => link.productUrl),
      tool: agent.data.result.operation,
      code,
    },
  }
}

/** The successful body; an error is thrown with its code. */
function must<T>({ data, error }: { data?: T; error?: { error: { code: string } } }): T {
  if (data === undefined) throw new Error(error?.error.code ?? 'no body')
  return data
}

/** The settled variant of a billable operation's two success bodies. */
function settled<T extends { status: string }>(body: T): Extract<T, { status: 'settled' }> {
  if (body.status !== 'settled') throw new Error(`not settled: ${body.status}`)
  return body as Extract<T, { status: 'settled' }>
}

/** What the types must reject. Only compiled, never called. */
export async function mistakes() {
  const client = createClient<paths>({ baseUrl: '' })
  const header = { 'Idempotency-Key': 'x' }
  // @ts-expect-error there is no such path
  await client.POST('/v1/models/chats', { params: { header }, body: { prompt: 'x' } })
  // @ts-expect-error a required field is missing
  await client.POST('/v1/models/chat', { params: { header }, body: {} })
  // @ts-expect-error a field of another type
  await client.POST('/v1/models/chat', { params: { header }, body: { prompt: 1 } })
  // @ts-expect-error a provider that is not in the list
  await client.POST('/v1/models/chat', { params: { header }, body: { prompt: 'x', provider: 'other' } })
  // @ts-expect-error the idempotency key is required
  await client.POST('/v1/models/chat', { body: { prompt: 'x' } })
  // @ts-expect-error not GET
  await client.GET('/v1/models/chat', { params: { header } })
  // @ts-expect-error an operation that an agent cannot run
  const links: components['schemas']['AgentRequest'] = { tool: 'pick.assist', arguments: { operation: 'links' } }
  const chat = await client.POST('/v1/models/chat', { params: { header }, body: { prompt: 'x' } })
  // @ts-expect-error a field that no response has
  chat.data?.cost
  // @ts-expect-error a code that is not in the contract
  const isKnown = chat.error?.error.code === 'SOMETHING_ELSE'
  return [links, isKnown]
}
