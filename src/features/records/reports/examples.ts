import { examples } from '../../../contract/examples.ts'
import { pricingVersion } from '../../../contract/prices.ts'
import { reasons } from '../../../contract/reasons.ts'
import type { Charge, DailyUsage, LedgerEntry, Receipt, Review, UsageOutcomes } from './contract.ts'
import type { Catalog, Overview } from './overview-contract.ts'

const charge: Charge = {
  chargeId: 'chg_0VVm8xQ2001aK4tRw9Zb',
  operation: 'model.chat',
  credits: 3,
  state: 'settled',
  keyId: examples.key.keyId,
  keyDisplayPrefix: examples.key.displayPrefix,
  keyName: 'Shop assistant',
  requestId: 'req_4sH8cN2vXq6M',
  reservedAt: '2026-09-03T08:10:00.000Z',
  endedAt: '2026-09-03T08:10:00.412Z',
  reason: null,
  model: 'echo/echo-1',
  latencyMs: 412,
  usage: { inputUnits: 12, outputUnits: 48, totalUnits: 60 },
}

export const held: Charge = {
  ...charge,
  chargeId: 'chg_0VVm8yT7003cB5uSx1Jd',
  state: 'manual_review',
  requestId: 'req_7wK3fR9yLz1P',
  reservedAt: '2026-09-03T08:12:00.000Z',
  endedAt: '2026-09-03T08:12:30.000Z',
  reason: { code: 'PROVIDER_TIMED_OUT', text: reasons.PROVIDER_TIMED_OUT },
  latencyMs: 30_000,
  usage: null,
}

const credit: LedgerEntry = {
  seq: 1,
  kind: 'credit',
  amount: examples.order.creditAmount,
  available: examples.order.creditAmount,
  reserved: 0,
  chargeId: null,
  operation: null,
  creditLotId: examples.confirmedOrder.creditLotId,
  orderId: examples.order.orderId,
  reference: null,
  enteredAt: examples.confirmedOrder.creditedAt!,
}
const ofCharge = {
  amount: charge.credits,
  chargeId: charge.chargeId,
  operation: charge.operation,
  orderId: null,
  reference: null,
}
const reserve: LedgerEntry = {
  ...ofCharge,
  seq: 2,
  kind: 'reserve',
  available: 197,
  reserved: 3,
  creditLotId: null,
  enteredAt: charge.reservedAt,
}
const settle: LedgerEntry = { ...reserve, seq: 3, kind: 'settle', reserved: 0, enteredAt: charge.endedAt! }

const receipt: Receipt = {
  ...charge,
  pricingVersion,
  amountFen: 30,
  chargedCredits: 3,
  settledAt: charge.endedAt,
  releasedAt: null,
  reviewedAt: null,
  hasContent: false,
  entries: [reserve, settle],
  decision: null,
}

const { state: _, endedAt: __, model: _model, latencyMs: _latency, usage: _usage, ...heldFields } = held
const review: Review = { ...heldFields, since: held.endedAt! }

const overview: Overview = {
  credits: { available: 194, reserved: 3 },
  bought: examples.order.creditAmount,
  held: [
    { state: 'reserved', charges: 0, credits: 0 },
    { state: 'manual_review', charges: 1, credits: 3 },
  ],
  spent: { today: 3, last7Days: 3, last30Days: 3 },
  callsToday: 1,
  spentPerDay: 0.5,
  runwayDays: 388,
  firstSteps: { hasOrder: true, hasKey: true, hasCall: true },
  baseUrl: 'http://localhost:8787',
  smsInboxUrl: 'http://127.0.0.1:8788/inbox',
  paymentMode: 'local-simulated',
}

const daily: DailyUsage = {
  from: '2026-08-05',
  to: '2026-09-03',
  countedFrom: '2026-08-05',
  items: [{ day: '2026-09-03', operation: charge.operation, calls: 1, credits: 3 }],
}

const outcomes: UsageOutcomes = {
  from: '2026-09-03',
  to: '2026-09-03',
  isWhole: true,
  succeeded: 1,
  failed: 2,
  inReview: 1,
  underWay: 0,
  reasons: [{ code: 'PROVIDER_UNAVAILABLE', calls: 2 }],
}

const catalog: Catalog = {
  defaultModelProvider: 'model_provider_a',
  modelProviders: [
    {
      provider: 'model_provider_a',
      enabled: true,
      adapter: 'local',
      models: ['local-small', 'local-large'],
      defaultModel: 'local-small',
      maxPromptChars: 8000,
      maxOutputTokens: 4096,
    },
    {
      provider: 'model_provider_b',
      enabled: false,
      adapter: null,
      models: [],
      defaultModel: null,
      maxPromptChars: null,
      maxOutputTokens: null,
    },
  ],
  mediaCreditsPerSecond: 5,
  defaultMediaProvider: 'media_provider_a',
  mediaProviders: [{ provider: 'media_provider_a', enabled: true, adapter: 'local' }],
  shoppingMode: 'local-mock',
  shops: [{ provider: 'shop_provider_a', enabled: true, adapter: 'local' }],
}

/** The story of the public examples, seen from the console. */
export const consoleExamples = {
  overview,
  charges: { items: [charge], nextCursor: null },
  receipt,
  daily,
  outcomes,
  reviews: { items: [review], nextCursor: null },
  ledger: { items: [settle, reserve, credit], nextCursor: null },
  catalog,
}
