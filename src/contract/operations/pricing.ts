import type { Operation } from '../operation.ts'
import { pricingDocument } from '../prices.ts'
import { Plans, Pricing } from '../schemas/pricing.ts'
import { errorsOf } from './access.ts'

const shared = {
  tag: 'Pricing',
  method: 'GET',
  access: 'public',
  takesIdempotencyKey: false,
  errors: errorsOf('public'),
} as const
const example = pricingDocument('local-simulated')

export const pricingOperations: Operation[] = [
  {
    ...shared,
    id: 'pricing.get',
    path: '/v1/pricing',
    summary: 'Read the price list',
    description:
      'The rate of credits, the recharge limits, the price of each billable operation and the charging rules.',
    responses: [
      { status: 200, description: 'The price list.', contentType: 'application/json', schema: Pricing, example },
    ],
  },
  {
    ...shared,
    id: 'plans.get',
    path: '/v1/plans',
    summary: 'Read the price list (old path)',
    description: 'Deprecated in favour of GET /v1/pricing. There are no fixed plans.',
    deprecated: true,
    responses: [
      {
        status: 200,
        description: 'The price list.',
        contentType: 'application/json',
        schema: Plans,
        example: { deprecated: true, canonical: '/v1/pricing', pricing: example },
      },
    ],
  },
]
