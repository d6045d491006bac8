/** The price list and the exchange rate: the only source of credits and amounts. */

export const pricingVersion = 'gateway-custom-cny-10credits-v1'
export const currency = 'CNY'
export const creditsPerYuan = 10
export const yuanPerCredit = '0.10'
const fenPerCredit = 10

export const recharge = { minAmountFen: 100, maxAmountFen: 1_000_000, stepAmountFen: 100 } as const

export const scopes = ['models:invoke', 'shopping:search', 'pick:read', 'pick:link', 'agent:run', 'media:run'] as const
export type Scope = (typeof scopes)[number]

export const prices = {
  'agent.run': { path: '/v1/agent/run', scope: 'agent:run', credits: 5 },
  'model.chat': { path: '/v1/models/chat', scope: 'models:invoke', credits: 3 },
  'shopping.search': { path: '/v1/shopping/search', scope: 'shopping:search', credits: 2 },
  'pick.compare': { path: '/v1/pick/compare', scope: 'pick:read', credits: 3 },
  'pick.filter': { path: '/v1/pick/filter', scope: 'pick:read', credits: 2 },
  'pick.links': { path: '/v1/pick/links', scope: 'pick:link', credits: 1 },
  'pick.prepurchase_review': { path: '/v1/pick/prepurchase-review', scope: 'pick:read', credits: 1 },
  'pick.recommend': { path: '/v1/pick/recommend', scope: 'pick:read', credits: 3 },
  'pick.search': { path: '/v1/pick/search', scope: 'pick:read', credits: 2 },
} as const satisfies Record<string, { path: string; scope: Scope; credits: number }>

export type BillableOperation = keyof typeof prices
export const billableOperations = Object.keys(prices) as BillableOperation[]

/** A media job is charged too, but by the second and outside the price list: see src/contract/media. */
export const mediaOperation = 'media.video'
export type ChargedOperation = BillableOperation | typeof mediaOperation
export const chargedOperations: readonly ChargedOperation[] = [...billableOperations, mediaOperation]

export const chargePolicy = {
  reserve: 'The fixed price is reserved from the available credits before anything is forwarded.',
  settle: 'A confirmed result settles the reservation exactly once.',
  release: 'A confirmed failure releases the reservation in full.',
  manualReview:
    'An uncertain outcome stays reserved as manual_review until an operator decides; it is never retried automatically.',
  idempotentReplay: 'The same Idempotency-Key with the same request returns the stored result without a second charge.',
  idempotencyConflict: 'The same Idempotency-Key with a different request is refused with 409 IDEMPOTENCY_CONFLICT.',
  insufficientCredits:
    'A call that costs more than the available credits is refused with 402 INSUFFICIENT_PAID_CREDITS and nothing is forwarded.',
} as const

export type PaymentMode = 'local-simulated' | 'disabled'

export const creditsOfFen = (amountFen: number): number => amountFen / fenPerCredit
export const fenOfCredits = (credits: number): number => credits * fenPerCredit
export const yuanOfFen = (fen: number): string => `${Math.trunc(fen / 100)}.${String(fen % 100).padStart(2, '0')}`

/** The body of GET /v1/pricing. */
export function pricingDocument(paymentMode: PaymentMode) {
  return {
    currency,
    amountUnit: 'fen',
    ...recharge,
    creditsPerYuan,
    yuanPerCredit,
    pricingVersion,
    paymentMode,
    productionPayment: 'NOT_RUN',
    operations: billableOperations.map((operation) => {
      const { path, scope, credits } = prices[operation]
      const cnyFen = fenOfCredits(credits)
      return { operation, path, scope, credits, cnyFen, cnyYuan: yuanOfFen(cnyFen) }
    }),
    chargePolicy,
  }
}
