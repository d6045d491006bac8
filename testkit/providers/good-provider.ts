import { type Behaviour, behaves, type RecordedCall } from './upstream.ts'

export const linkHost = 'item.shop.example'

/** A healthy provider of both protocols: chat completions and pick-http. */
export const goodProvider: Behaviour = (wire, call) => behaves.respond(200, goodResponse(call))(wire, call)

// biome-ignore lint/suspicious/noExplicitAny: what a provider was sent
type Sent = any

/** By the end of the path: a base address may have a path too. */
const responses = {
  '/chat/completions': ({ messages }: Sent): object => ({
    choices: [{ message: { role: 'assistant', content: `回答：${messages[0].content}` } }],
    usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 },
  }),
  '/search': ({ limit, query }: Sent): object => ({
    items: Array.from({ length: limit }, (_, rank) => product(`p-${rank + 1}`, query)),
  }),
  '/links': ({ productIds }: Sent): object => ({
    links: productIds.map((id: string) => ({ productId: id, productUrl: `https://${linkHost}/${id}` })),
    disclosure: '推广链接',
  }),
}

export type UpstreamPath = keyof typeof responses

/** Throws for any other path, which fails the test that caused it. */
export function goodResponse({ path, body }: Pick<RecordedCall, 'path' | 'body'>): object {
  const known = (Object.keys(responses) as UpstreamPath[]).find((end) => path.endsWith(end))
  if (!known) throw new Error(`the good provider has no response for ${path}`)
  return responses[known](JSON.parse(body))
}

const product = (productId: string, query: string) => ({
  productId,
  title: `商品 ${productId}`,
  priceCents: 4900,
  currency: 'CNY',
  availability: 'available',
  highlights: ['304 不锈钢'],
  reason: `与 ${query} 相符`.slice(0, 500),
})

/** The first two items that this shop shows. */
export const shownBy = (provider: string) => ['p-1', 'p-2'].map((productId) => ({ provider, productId }))
