import { type Behaviour, behaves, type RecordedCall } from './upstream.ts'

export const linkHost = 'item.shop.example'

/** A healthy provider of both protocols: chat completions and pick-http. */
export const goodProvider: Behaviour = (wire, call) => behaves.respond(200, goodResponse(call))(wire, call)

export function goodResponse({ path, body }: Pick<RecordedCall, 'path' | 'body'>): object {
  const request = JSON.parse(body)
  if (path.endsWith('/search')) {
    return { items: Array.from({ length: request.limit }, (_, rank) => product(`p-${rank + 1}`, request.query)) }
  }
  if (path.endsWith('/links')) {
    const links = request.productIds.map((id: string) => ({ productId: id, productUrl: `https://${linkHost}/${id}` }))
    return { links, disclosure: '推广链接' }
  }
  return {
    choices: [{ message: { role: 'assistant', content: `回答：${request.messages[0].content}` } }],
    usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 },
  }
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
