import { response } from '../operation.ts'
import { pricingDocument } from '../prices.ts'
import { Plans, Pricing } from '../schemas/pricing.ts'
import { view } from './access.ts'

const shared = { tag: 'Pricing', access: 'public' } as const
const pricing = pricingDocument('local-simulated')

export const pricingOperations = [
  view({
    ...shared,
    id: 'pricing.get',
    path: '/v1/pricing',
    summary: 'Read the price list',
    description: 'The credit rate, the recharge limits, the price of each billable operation and the charging rules.',
    response: response(200, 'The price list.', Pricing, pricing),
  }),
  view({
    ...shared,
    id: 'plans.get',
    path: '/v1/plans',
    summary: 'Read the price list (old path)',
    description: 'Deprecated in favor of GET /v1/pricing. There are no fixed plans.',
    deprecated: true,
    response: response(200, 'The price list.', Plans, { deprecated: true, canonical: '/v1/pricing', pricing }),
  }),
]
