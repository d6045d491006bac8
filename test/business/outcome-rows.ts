import type { ErrorCode } from '../../src/contract/errors.ts'
import { goodAnswer } from '../support/providers/good-provider.ts'
import { type Behaviour, behaves } from '../support/providers/upstream.ts'

export const forwarding = ['model.chat', 'pick.search', 'pick.links'] as const
export type Forwarding = (typeof forwarding)[number]

/** What a provider does and what becomes of the call: a code and a release, or a review. */
export interface OutcomeRow {
  readonly name: string
  readonly upstream: Behaviour
  readonly ends: 'review' | ErrorCode | Readonly<Record<Forwarding, ErrorCode>>
  /** The call ends only once its time is up. */
  readonly waits?: true
}

const redirected: OutcomeRow['ends'] = {
  'model.chat': 'PROVIDER_CONTRACT_INVALID',
  'pick.search': 'PROVIDER_REDIRECT_FORBIDDEN',
  'pick.links': 'PROVIDER_REDIRECT_FORBIDDEN',
}

const statuses = (ends: OutcomeRow['ends'], ...codes: number[]): OutcomeRow[] =>
  codes.map((status) => ({ name: `a ${status}`, upstream: behaves.answer(status, { error: 'secret words' }), ends }))

/** An answer that is good but for one thing. */
const spoilt =
  (spoil: (answer: Good) => unknown): Behaviour =>
  (wire, call) =>
    behaves.answer(200, spoil(goodAnswer(call) as Good))(wire, call)

interface Good {
  choices?: { message: { content: string } }[]
  items?: { productId: string }[]
  links?: { productId: string; productUrl: string }[]
}

const eachItem = (change: object) =>
  spoilt((good) => ({ ...good, items: good.items?.map((item) => ({ ...item, ...change })) }))
const eachLink = (write: (id: string) => string) =>
  spoilt((good) => ({
    ...good,
    links: good.links?.map(({ productId }) => ({ productId, productUrl: write(productId) })),
  }))

/** Lines that every forwarding operation meets alike. */
export const outcomeRows: readonly OutcomeRow[] = [
  ...[301, 302, 303, 307, 308].map(
    (status): OutcomeRow => ({
      name: `a redirect with ${status}`,
      upstream: behaves.redirect(status, 'http://127.0.0.1:1/elsewhere'),
      ends: redirected,
    }),
  ),
  ...statuses('PROVIDER_RATE_LIMITED', 429),
  ...statuses('PROVIDER_REQUEST_REJECTED', 400, 401, 403, 404, 409, 413, 422),
  ...statuses('PROVIDER_UNAVAILABLE', 500, 501, 502, 503, 529),
  ...statuses('review', 408, 504),
  { name: 'malformed JSON', upstream: behaves.answer(200, '{"items": ['), ends: 'PROVIDER_CONTRACT_INVALID' },
  { name: 'an empty body', upstream: behaves.answer(200, ''), ends: 'PROVIDER_CONTRACT_INVALID' },
  { name: 'no content', upstream: behaves.answer(204, ''), ends: 'PROVIDER_CONTRACT_INVALID' },
  { name: 'a JSON list', upstream: behaves.answer(200, []), ends: 'PROVIDER_CONTRACT_INVALID' },
  {
    name: 'wrong types',
    upstream: behaves.answer(200, { choices: '', items: {}, links: 1, disclosure: [] }),
    ends: 'PROVIDER_CONTRACT_INVALID',
  },
  { name: 'a body over the size limit', upstream: behaves.flood(), ends: 'PROVIDER_CONTRACT_INVALID' },
  { name: 'silence before the headers', upstream: behaves.hang(), ends: 'review', waits: true },
  { name: 'silence within the body', upstream: behaves.hangInBody(), ends: 'review', waits: true },
  { name: 'a drip without end', upstream: behaves.drip(), ends: 'review', waits: true },
  { name: 'a reset', upstream: behaves.reset(), ends: 'review' },
  { name: 'a hang-up', upstream: behaves.hangUp(), ends: 'review' },
  { name: 'a cut body', upstream: behaves.cutBody(), ends: 'review' },
  { name: 'a reset within the body', upstream: behaves.resetInBody(), ends: 'review' },
  { name: 'half a body without a length', upstream: behaves.cutUnframedBody(), ends: 'review' },
  { name: 'bytes that are no HTTP', upstream: behaves.garble(), ends: 'review' },
  { name: 'headers past every limit', upstream: behaves.floodHeaders(), ends: 'review' },
]

/** Lines that only one of them can meet. */
export const ownRows: readonly (OutcomeRow & { readonly of: Forwarding })[] = [
  ...own('model.chat', 'PROVIDER_CONTRACT_INVALID', {
    'no choices': spoilt((good) => ({ ...good, choices: [] })),
    'content that is no text': spoilt((good) => ({ ...good, choices: [{ message: { content: null } }] })),
    'a count below zero': spoilt((good) => ({ ...good, usage: { prompt_tokens: -1, completion_tokens: 0 } })),
    'a count that is not exact': spoilt((good) => ({
      ...good,
      usage: { prompt_tokens: 2 ** 53, completion_tokens: 0 },
    })),
  }),
  ...own('pick.search', 'PROVIDER_CONTRACT_INVALID', {
    'another currency': eachItem({ currency: 'USD' }),
    'a price below zero': eachItem({ priceCents: -1 }),
    'a price of half a fen': eachItem({ priceCents: 1.5 }),
    'a product id of white space': eachItem({ productId: '  ' }),
    'a product id that no store can hold': eachItem({ productId: 'p\u0000' }),
    'a title that is too long': eachItem({ title: 'x'.repeat(501) }),
    'an unknown availability': eachItem({ availability: 'soon' }),
    'no reason': eachItem({ reason: '' }),
  }),
  ...own('pick.links', 'PROVIDER_CONTRACT_INVALID', {
    'one link too few': spoilt((good) => ({ ...good, links: good.links?.slice(1) })),
    'links of other products': spoilt((good) => ({
      ...good,
      links: good.links?.map((link) => ({ ...link, productId: 'x' })),
    })),
    'no disclosure': spoilt((good) => ({ ...good, disclosure: '' })),
  }),
  ...own('pick.links', 'PROVIDER_LINK_FORBIDDEN', {
    'a link without TLS': eachLink((id) => `http://item.shop.example/${id}`),
    'a link to another host': eachLink((id) => `https://evil.example/${id}`),
    'a link to a host that only begins alike': eachLink((id) => `https://item.shop.example.evil.example/${id}`),
    'a link with a user name': eachLink((id) => `https://item.shop.example@evil.example/${id}`),
    'a link to another port': eachLink((id) => `https://item.shop.example:8443/${id}`),
    'a script': eachLink(() => 'javascript:alert(1)'),
    'a link past the length limit': eachLink((id) => `https://item.shop.example/${id}${'x'.repeat(2048)}`),
    'one bad link among good ones': spoilt((good) => ({
      ...good,
      links: good.links?.map((link, place) => (place === 0 ? link : { ...link, productUrl: 'https://evil.example/' })),
    })),
  }),
]

function own(of: Forwarding, ends: ErrorCode, behaviours: Record<string, Behaviour>) {
  return Object.entries(behaviours).map(([name, upstream]) => ({ of, name, upstream, ends }))
}
