import { defineFeature } from '../../../ops/feature.ts'
import { reviewOperations } from './contract.ts'
import { reviewHandlers } from './handlers.ts'
import { createReviewStore } from './store.ts'

/** Calls with an uncertain outcome: an operator settles or releases them. */
export const reviewsFeature = defineFeature({
  name: 'reviews',
  operatorOperations: reviewOperations,
  build: ({ engine, ledger, clock }) => ({
    operatorHandlers: reviewHandlers({ reviews: createReviewStore(engine), ledger, clock }),
  }),
})
