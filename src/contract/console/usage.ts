import { type Static, Type } from 'typebox'
import { Choice, DateTime, Nullable, named } from '../field.ts'
import { chargedOperations } from '../prices.ts'
import { keyIdPattern } from '../schemas/keys.ts'
import { LedgerEntry } from './ledger.ts'
import {
  Day,
  type DayParameters,
  dailyLimit,
  dayParameters,
  Page,
  type PageParameters,
  pageParameters,
} from './paging.ts'

export const chargeIdPattern = '^chg_[A-Za-z0-9]+$'
export const chargeStates = ['reserved', 'settled', 'released', 'manual_review'] as const

const Reason = named('ChargeReason', {
  code: Type.String({
    pattern: '^[A-Z_]+$',
    description: 'The error code that the caller received, or why the outcome is uncertain.',
  }),
  text: Type.String({ minLength: 1, description: 'The meaning of the code, in English.' }),
})

const chargeFields = {
  chargeId: Type.String({ pattern: chargeIdPattern }),
  operation: Choice(chargedOperations),
  credits: Type.Integer({ minimum: 1, description: 'The price; whether it was paid is told by the state.' }),
  state: Choice(chargeStates),
  keyId: Type.String({ pattern: keyIdPattern }),
  keyDisplayPrefix: Type.String({ minLength: 1 }),
  requestId: Type.String({ minLength: 1, description: 'The X-Request-Id of the call.' }),
  reservedAt: DateTime(),
  endedAt: Nullable(DateTime('When the charge was settled, released or held for review; null while it is reserved.')),
  reason: Type.Union([Reason, Type.Null()], { description: 'Why it was released or held for review.' }),
}

/** One billable call and what became of its price. */
export const Charge = named('Charge', chargeFields)
export const ChargePage = Page('ChargePage', Charge)

export const Receipt = named('Receipt', {
  ...chargeFields,
  pricingVersion: Type.String({ minLength: 1 }),
  amountFen: Type.Integer({ minimum: 1, description: 'The price in fen.' }),
  chargedCredits: Type.Integer({ minimum: 0, description: 'What was paid: the price once settled, else 0.' }),
  settledAt: Nullable(DateTime()),
  releasedAt: Nullable(DateTime()),
  reviewedAt: Nullable(DateTime('When it was held for review, also after the decision.')),
  usage: Type.Union([Type.Record(Type.String(), Type.Integer({ minimum: 0 })), Type.Null()], {
    description: 'What the call metered, as its answer said; null when it was not settled by a confirmed result.',
  }),
  entries: Type.Array(LedgerEntry, { description: 'Its entries in the ledger, oldest first.', maxItems: 10 }),
  decision: Type.Union([
    named(
      'ReviewDecision',
      {
        decision: Choice(['settled', 'released']),
        reason: Type.String({ minLength: 1 }),
        decidedAt: DateTime(),
      },
      {
        examples: [
          {
            decision: 'released',
            reason: 'The provider has no record of the call.',
            decidedAt: '2026-09-03T09:00:00.000Z',
          },
        ],
      },
    ),
    Type.Null(),
  ]),
})

export const DailyUsage = named('DailyUsage', {
  from: Day('The first day of the range.'),
  to: Day('The last day of the range: today in Shanghai, or an earlier day that was asked for.'),
  countedFrom: Day(
    'The first day whose calls are all counted. Later than `from` when a filter by key or state had too many calls to look through.',
  ),
  items: Type.Array(
    named('UsageOfDay', {
      day: Day('A day in Shanghai.'),
      operation: Choice(chargedOperations),
      calls: Type.Integer({ minimum: 1, description: 'Calls of that day.' }),
      credits: Type.Integer({ minimum: 1 }),
    }),
    {
      description: 'Ordered by day and operation; a day and operation without such a call is left out.',
      maxItems: dailyLimit.maximum * chargedOperations.length,
    },
  ),
})

/** Calls held for review: their credits stay reserved until an operator decides. */
export const Review = named('Review', {
  chargeId: chargeFields.chargeId,
  operation: chargeFields.operation,
  credits: Type.Integer({ minimum: 1, description: 'Credits that stay reserved.' }),
  keyId: chargeFields.keyId,
  keyDisplayPrefix: chargeFields.keyDisplayPrefix,
  requestId: chargeFields.requestId,
  reservedAt: chargeFields.reservedAt,
  since: DateTime('When it was held for review.'),
  reason: chargeFields.reason,
})
export const ReviewPage = Page('ReviewPage', Review)

/** Of all charges the place in the ledger, of those in review the id. */
const usageCursorPattern = '^([1-9][0-9]{0,14}|chg_[A-Za-z0-9]+)$'

const sharedFilters = {
  operation: Choice(chargedOperations),
  state: Choice(chargeStates),
  keyId: Type.String({ pattern: keyIdPattern, maxLength: 64 }),
  ...dayParameters,
}

/** What a list of charges and its file can be narrowed by. */
export const chargeParameters = {
  ...sharedFilters,
  id: Type.String({
    pattern: '^(chg|req)_[A-Za-z0-9]+$',
    maxLength: 64,
    description: 'A charge id, or the X-Request-Id of a call.',
  }),
}

export const usageParameters = { ...pageParameters(usageCursorPattern), ...chargeParameters }

export const reviewParameters = pageParameters(chargeIdPattern)

export const dailyParameters = {
  ...sharedFilters,
  days: Type.Integer({ ...dailyLimit, description: 'How many days up to the last one, where `from` does not say it.' }),
}

export type Charge = Static<typeof Charge>
export type ChargePage = Static<typeof ChargePage>
export type Receipt = Static<typeof Receipt>
export type DailyUsage = Static<typeof DailyUsage>
export type Review = Static<typeof Review>
export type ReviewPage = Static<typeof ReviewPage>

export interface ChargeParameters extends DayParameters {
  readonly operation?: Charge['operation']
  readonly state?: Charge['state']
  readonly keyId?: string
  readonly id?: string
}
export interface UsageParameters extends PageParameters, ChargeParameters {}
export interface DailyParameters extends Omit<ChargeParameters, 'id'> {
  readonly days?: number
}
