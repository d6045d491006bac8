import type { Static } from 'typebox'
import type { BillableOperation } from '../../src/contract/prices.ts'
import type { DataOf, RequestOf, UsageOf } from '../../src/contract/schemas/business.ts'
import type { CreateMediaJobRequest, MediaJob as Job } from '../../src/features/calls/media/contract.ts'
import type { ChatCompletionChunk } from '../../src/features/calls/openai/contract.ts'
import type { WebhookEvent as DeliveredEvent } from '../../src/features/notifications/webhooks/contract.ts'
import type { OwnCharge, OwnKey } from '../../src/features/programs/key-api/contract.ts'

// The types of the gateway's contract. The package gets the same names from the contract's schemas: see build.ts.

export type Requests = { [O in BillableOperation]: RequestOf<O> }
export type Responses = {
  [O in BillableOperation]: {
    status: 'settled'
    operation: O
    chargedCredits: number
    data: DataOf<O>
    usage: UsageOf<O>
  }
}
export type ChatChunk = Static<typeof ChatCompletionChunk>
export type Key = OwnKey
export type Charge = OwnCharge
export type MediaJob = Job
export type MediaRequest = CreateMediaJobRequest
export type WebhookEvent = DeliveredEvent
