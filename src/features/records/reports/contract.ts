import { type Static, Type } from '../../../base/schema.ts'
import { entryKinds } from '../../../contract/choices.ts'
import { Choice, chargeIdPattern, DateTime, Nullable, named } from '../../../contract/field.ts'
import {
  Day,
  type DayParameters,
  dailyLimit,
  dayParameters,
  Page,
  type PageParameters,
  pageParameters,
  type QueryOf,
} from '../../../contract/paging.ts'
import { chargedOperations } from '../../../contract/prices.ts'
import { orderIdPattern } from '../../../contract/schemas/account.ts'
import { keyIdPattern } from '../../../contract/schemas/keys.ts'

/** One movement of credits, with the balance after it. Entries are only ever added. */
export const LedgerEntry = named('LedgerEntry', {
  seq: Type.Integer({ minimum: 1, description: 'Counts the entries of the project without a gap.' }),
  kind: Choice(entryKinds, {
    description:
      'credit: bought. reserve: available to reserved. settle: reserved is paid. release: reserved to available. review: stays reserved. grant: given by the operator. withdraw: taken back by the operator.',
  }),
  amount: Type.Integer({ minimum: 1 }),
  available: Type.Integer({ minimum: 0, description: 'Available credits after this entry.' }),
  reserved: Type.Integer({ minimum: 0, description: 'Reserved credits after this entry.' }),
  chargeId: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
  operation: Type.Union([Choice(chargedOperations), Type.Null()]),
  creditLotId: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
  orderId: Type.Union([Type.String({ pattern: orderIdPattern }), Type.Null()]),
  orderFen: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: 'Of bought credits: the amount of the order.',
  }),
  paidFen: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: 'Of bought credits: what was paid for them, which may differ from the order.',
  }),
  paidAt: Nullable(DateTime('Of bought credits: when they were paid, as the provider says.')),
  reference: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
    description: 'What the credits were granted or withdrawn for, such as a bank transfer number.',
  }),
  enteredAt: DateTime(),
})

export const LedgerPage = Page('LedgerPage', LedgerEntry)

export const entryParameters = { kind: Choice(entryKinds), ...dayParameters }

export const ledgerParameters = { ...pageParameters('^[1-9][0-9]{0,14}$'), ...entryParameters }

export type LedgerEntry = Static<typeof LedgerEntry>
export type LedgerPage = Static<typeof LedgerPage>

export interface EntryParameters extends DayParameters {
  readonly kind?: LedgerEntry['kind']
}
export interface LedgerParameters extends PageParameters, EntryParameters {}

const chargeStates = ['reserved', 'settled', 'released', 'manual_review'] as const

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
  credits: Type.Integer({ minimum: 1, description: 'The price; the state says whether it was paid.' }),
  state: Choice(chargeStates),
  keyId: Type.String({ pattern: keyIdPattern }),
  keyDisplayPrefix: Type.String({ minLength: 1 }),
  keyName: Type.Union([Type.String({ minLength: 1 }), Type.Null()], { description: 'The name of the key now.' }),
  requestId: Type.String({ minLength: 1, description: 'The X-Request-Id of the call.' }),
  reservedAt: DateTime(),
  endedAt: Nullable(DateTime('When the charge was settled, released or held for review; null while it is reserved.')),
  reason: Type.Union([Reason, Type.Null()], { description: 'Why it was released or held for review.' }),
  upstreamCode: Type.Union([Type.String({ pattern: '^[a-z0-9_]{1,64}$' }), Type.Null()], {
    description: "The provider's own code, if it refused the request with 400 and gave one.",
  }),
  model: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
    description:
      'The model that was asked, as provider/alias, or the provider of a media job; null for other operations.',
  }),
  latencyMs: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'From the reservation to the outcome; null while there is none, and once an operator has decided.',
  }),
  usage: Type.Union([Type.Record(Type.String(), Type.Integer({ minimum: 0 })), Type.Null()], {
    description: 'The metered usage of the call, as in its response; null if it was not settled by a confirmed result.',
  }),
}

export const Charge = named('Charge', chargeFields)
export const ChargePage = Page('ChargePage', Charge)

export const ChargeDetails = named('ChargeDetails', {
  ...chargeFields,
  pricingVersion: Type.String({ minLength: 1 }),
  amountFen: Type.Integer({ minimum: 1, description: 'The price in fen.' }),
  chargedCredits: Type.Integer({ minimum: 0, description: 'What was paid: the price once settled, else 0.' }),
  settledAt: Nullable(DateTime()),
  releasedAt: Nullable(DateTime()),
  reviewedAt: Nullable(DateTime('When it was held for review, also after the decision.')),
  hasContent: Type.Boolean({ description: 'Whether the request and the response of the call are kept.' }),
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

const pickDays = <T extends { from: unknown; to: unknown; countedFrom: unknown }>({ from, to, countedFrom }: T) =>
  ({ from, to, countedFrom }) as Pick<T, 'from' | 'to' | 'countedFrom'>

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

export const DailyParts = named('DailyParts', {
  ...pickDays(DailyUsage.properties),
  items: Type.Array(
    named('PartOfDay', {
      day: Day('A day in Shanghai.'),
      part: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
        description:
          'The id of a key, or a model as provider/alias. Null adds up the others, and calls without a model.',
      }),
      calls: Type.Integer({ minimum: 1 }),
      credits: Type.Integer({ minimum: 1 }),
    }),
    { description: 'Ordered by day. The eight with the most credits are named.', maxItems: dailyLimit.maximum * 9 },
  ),
})

export const UsageOutcomes = named('UsageOutcomes', {
  from: Day('The first day whose calls are counted.'),
  to: Day('The last day whose calls are counted.'),
  isWhole: Type.Boolean({ description: 'False when there were too many calls: only the newest ones are counted.' }),
  succeeded: Type.Integer({ minimum: 0, description: 'Calls that were settled.' }),
  failed: Type.Integer({ minimum: 0, description: 'Calls that were released.' }),
  inReview: Type.Integer({ minimum: 0, description: 'Calls that are held for review.' }),
  underWay: Type.Integer({ minimum: 0, description: 'Calls that are still reserved.' }),
  reasons: Type.Array(named('FailureCount', { code: Reason.properties.code, calls: Type.Integer({ minimum: 1 }) }), {
    description: 'Why calls were released, the most frequent reason first.',
    maxItems: 5,
  }),
})

/** Calls held for review: their credits stay reserved until an operator decides. */
export const Review = named('Review', {
  chargeId: chargeFields.chargeId,
  operation: chargeFields.operation,
  credits: Type.Integer({ minimum: 1, description: 'Credits that stay reserved.' }),
  keyId: chargeFields.keyId,
  keyDisplayPrefix: chargeFields.keyDisplayPrefix,
  keyName: chargeFields.keyName,
  requestId: chargeFields.requestId,
  reservedAt: chargeFields.reservedAt,
  since: DateTime('When it was held for review.'),
  reason: chargeFields.reason,
})
export const ReviewPage = Page('ReviewPage', Review)

/** For all charges the number in the ledger, for those in review the id. */
const usageCursorPattern = '^([1-9][0-9]{0,14}|chg_[A-Za-z0-9]+)$'

const sharedFilters = {
  operation: Choice(chargedOperations),
  state: Choice(chargeStates),
  keyId: Type.String({ pattern: keyIdPattern, maxLength: 64 }),
  ...dayParameters,
}

export const chargeParameters = {
  ...sharedFilters,
  id: Type.String({
    pattern: '^(chg|req)_[A-Za-z0-9]+$',
    maxLength: 64,
    description: 'A charge id or the X-Request-Id of a call, or the beginning of one.',
  }),
  reason: Type.String({
    pattern: '^[A-Z_]+$',
    maxLength: 64,
    description: 'Why calls were released or held for review: the code of their reason.',
  }),
}

export const usageParameters = {
  ...pageParameters(
    usageCursorPattern,
    'Only with the filters of that page: with `state=manual_review` it is a charge ID, otherwise a number.',
  ),
  ...chargeParameters,
}

export const reviewParameters = pageParameters(chargeIdPattern)

/** Today, where no day is named. */
export const outcomeParameters = { ...dayParameters }

export const dailyParameters = {
  ...sharedFilters,
  days: Type.Integer({ ...dailyLimit, description: 'How many days up to the last one, where `from` does not say it.' }),
}

export const partParameters = { ...dailyParameters, by: Choice(['key', 'model'], { default: 'key' }) }

export type Charge = Static<typeof Charge>
export type ChargePage = Static<typeof ChargePage>
export type ChargeDetails = Static<typeof ChargeDetails>
export type DailyUsage = Static<typeof DailyUsage>
export type DailyParts = Static<typeof DailyParts>
export type UsageOutcomes = Static<typeof UsageOutcomes>
export type Review = Static<typeof Review>
export type ReviewPage = Static<typeof ReviewPage>

export type ChargeParameters = QueryOf<typeof chargeParameters>
export type UsageParameters = PageParameters & ChargeParameters
export type DailyParameters = QueryOf<typeof dailyParameters>
