import { type Static, Type } from '../../base/schema.ts'
import { highlightsLimit, type Item } from '../../contract/schemas/products.ts'
import { Count, conforms, Text } from '../conforms.ts'
import type { HttpResult } from '../http/exchange.ts'
import { type CallHooks, type Credential, createUpstream } from '../upstream.ts'
import type { FoundItem, ShopLinks, ShopProvider, ShopQuery, ShopSettings } from './shop-provider.ts'

export const maxLinkChars = 2048

/**
 * Allows https links whose host and port are exactly those of the list. Checks the link as written, before any parser repairs it:
 * user names, trailing dots, escapes, look-alike letters, backslashes and white space are all refused.
 */
export function createLinkAllowList(hosts: readonly string[]): (link: string) => boolean {
  const allowed = new Set(hosts.flatMap(spellings))
  return (link) => {
    if (link.length > maxLinkChars || !URL.canParse(link)) return false
    const [, authority = ''] = linkShape.exec(link) ?? []
    // A URL parser must see the same host.
    return allowed.has(authority.toLowerCase()) && new URL(link).host === withoutDefaultPort(authority.toLowerCase())
  }
}

/** Scheme, authority, path, query and fragment, with only the characters that RFC 3986 allows in each. */
const linkShape =
  /^https:\/\/([A-Za-z0-9.-]+(?::[0-9]{1,5})?)(?:\/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*)?(?:\?(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?(?:#(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?$/

/** Port 443 may be written or omitted. */
function spellings(host: string): string[] {
  const written = host.toLowerCase()
  if (!/:\d+$/.test(written)) return [written, `${written}:443`]
  return written.endsWith(':443') ? [written, withoutDefaultPort(written)] : [written]
}

const withoutDefaultPort = (authority: string) => authority.replace(/:443$/, '')

export function createHttpShop(
  name: string,
  settings: ShopSettings,
  credential: Credential,
  hooks?: CallHooks,
): ShopProvider {
  const upstream = createUpstream({ kind: 'shop', settings, credential, ...hooks })
  const isAllowed = createLinkAllowList(settings.linkHosts)
  return {
    leavesProcess: true,
    search: (query, projectId, requestId, onSending) =>
      upstream.exchange({ path: '/search', body: searchBody(query), projectId, requestId, onSending }, (response) =>
        interpretItems(response, { query, name }),
      ),
    links: (productIds, projectId, requestId, onSending) =>
      upstream.exchange({ path: '/links', body: { productIds }, projectId, requestId, onSending }, (response) =>
        interpretLinks(response, { productIds, isAllowed }),
      ),
    close: upstream.close,
  }
}

const searchBody = ({ query, maxPriceCents, sort, limit }: ShopQuery) => ({
  query,
  ...(maxPriceCents !== undefined && { filters: { maxPriceCents } }),
  sort,
  limit,
})

const ShopItem = Type.Object({
  productId: Text({ minLength: 1, maxLength: 500 }),
  title: Text({ minLength: 1, maxLength: 500 }),
  priceCents: Count(),
  currency: Type.Literal('CNY'),
  availability: Type.Enum(['available', 'unavailable', 'unknown']),
  highlights: Type.Array(Text({ maxLength: 500 })),
  reason: Text({ minLength: 1, maxLength: 500 }),
})
const checkList = conforms(Type.Object({ items: Type.Array(Type.Unknown()) }))
const checkItems = conforms(Type.Array(ShopItem))

/** Fields outside the protocol are dropped, so they never reach a caller. */
function interpretItems(
  response: unknown,
  { query, name }: { query: ShopQuery; name: string },
): HttpResult<readonly FoundItem[]> {
  const list = checkList(response)
  if (!list.ok) return { event: 'contractBroken', detail: list.fault }
  const items = checkItems(list.value.items.slice(0, query.limit).map(cutHighlights))
  if (!items.ok) return { event: 'contractBroken', detail: `/items${items.fault}` }
  if (items.value.some(({ productId }) => productId.trim() === ''))
    return { event: 'contractBroken', detail: 'a productId is blank' }
  const { maxPriceCents = Number.MAX_SAFE_INTEGER } = query
  const found = items.value
    // Shops report no relevance, only an order.
    .map((item, rank) => ({ item: itemOf(item, name), relevance: -rank }))
    .filter(({ item }) => item.priceCents <= maxPriceCents)
  const isFirst = ({ item }: FoundItem, index: number) =>
    found.findIndex((other) => other.item.itemRef.productId === item.itemRef.productId) === index
  return { event: 'answered', value: found.filter(isFirst) }
}

function cutHighlights(item: unknown): unknown {
  const { highlights } = (item ?? {}) as { highlights?: unknown }
  return Array.isArray(highlights) ? { ...(item as object), highlights: highlights.slice(0, highlightsLimit) } : item
}

function itemOf({ productId, ...item }: Static<typeof ShopItem>, provider: string): Item {
  const { title, priceCents, currency, availability, highlights, reason } = item
  const itemRef = { provider, productId: productId.trim() }
  return { itemRef, title, priceCents, currency, availability, highlights, reason, testOnly: false }
}

const checkLinks = conforms(
  Type.Object({
    links: Type.Array(Type.Object({ productId: Type.String(), productUrl: Type.String() })),
    disclosure: Text({ minLength: 1, maxLength: 2000 }),
  }),
)

function interpretLinks(
  response: unknown,
  { productIds, isAllowed }: { productIds: readonly string[]; isAllowed: (link: string) => boolean },
): HttpResult<ShopLinks> {
  const checked = checkLinks(response)
  if (!checked.ok) return { event: 'contractBroken', detail: checked.fault }
  const { links, disclosure } = checked.value
  const urls = productIds.map((id) =>
    links.filter((link) => link.productId.trim() === id).map((link) => link.productUrl),
  )
  if (urls.some((candidates) => new Set(candidates).size !== 1))
    return { event: 'contractBroken', detail: 'not exactly one link per product' }
  const productUrls = urls.map(([url]) => url!)
  return productUrls.every(isAllowed)
    ? { event: 'answered', value: { productUrls, disclosure } }
    : { event: 'linkForbidden' }
}
