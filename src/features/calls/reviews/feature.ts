import { defineFeature } from '../../../ops/feature.ts'
import { reviewOperations } from './contract.ts'
import { buildReviews } from './handlers.ts'

/** Calls with an uncertain outcome: an operator settles or releases them. */
export const reviewsFeature = defineFeature({
  name: 'reviews',
  operatorOperations: reviewOperations,
  build: buildReviews,
})
