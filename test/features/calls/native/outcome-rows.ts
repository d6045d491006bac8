import type { ErrorCode } from '../../../../src/contract/errors.ts'
import type { BillableOperation } from '../../../../src/contract/prices.ts'
import type { UpstreamEvent } from '../../../../src/providers/outcome.ts'
import { goodResponse } from '../../../../testkit/providers/good-provider.ts'
import { type Behaviour, behaves } from '../../../../testkit/providers/upstream.ts'
import { upstreamFaults } from '../../../../testkit/providers/upstream-faults.ts'

/** What a provider does, and how the call ends: a refusal and a release, or a review. */
export interface OutcomeRow {
  readonly name: string
  readonly behaviour: Behaviour
  readonly ends: 'review' | ErrorCode | Readonly<Record<'model' | 'shop', ErrorCode>>
  /** The call ends only when it times out. */
  readonly waits?: true
}

/** What the caller of a forwarded call gets, for each way in which the provider can fail it. */
const endings: Partial<Record<UpstreamEvent, OutcomeRow['ends']>> = {
  redirected: { model: 'PROVIDER_CONTRACT_INVALID', shop: 'PROVIDER_REDIRECT_FORBIDDEN' },
  rateLimited: 'PROVIDER_RATE_LIMITED',
  requestRejected: 'PROVIDER_REQUEST_REJECTED',
  rejected: 'PROVIDER_REQUEST_REJECTED',
  failed: 'PROVIDER_UNAVAILABLE',
  answeredTimeout: 'review',
  contractBroken: 'PROVIDER_CONTRACT_INVALID',
  oversized: 'PROVIDER_CONTRACT_INVALID',
  timedOut: 'review',
  reset: 'review',
  cutBody: 'review',
  garbled: 'review',
}

/** Failures that every forwarding operation can meet; one that keeps sending would hold a place of the next test. */
export const outcomeRows: readonly OutcomeRow[] = upstreamFaults
  .filter(({ keepsSending }) => !keepsSending)
  .map((fault) => ({ ...fault, ends: endings[fault.event]! }))

/** A response that is good but for one thing. */
const spoilt =
  (spoil: (response: Good) => unknown): Behaviour =>
  (wire, call) =>
    behaves.respond(200, spoil(goodResponse(call) as Good))(wire, call)

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

/** Failures that only one operation can meet. */
export const ownRows: readonly (OutcomeRow & { readonly of: BillableOperation })[] = [
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

function own(of: BillableOperation, ends: ErrorCode, behaviours: Record<string, Behaviour>) {
  return Object.entries(behaviours).map(([name, behaviour]) => ({ of, name, behaviour, ends }))
}
