import { dayMs, dayOf, isoOf, isoOrNull } from '../../../base/time.ts'
import { fenOfCredits } from '../../../contract/prices.ts'
import { reasonOf } from '../../../contract/reasons.ts'
import type { ChargeRow, PlacedCharge } from './charge-lists.ts'
import { type Charge, type ChargeDetails, type LedgerEntry, Review } from './contract.ts'
import type { Overview } from './overview-contract.ts'
import type { ChargeDetailRows, EntryRow, ProjectState, ReportStore } from './store.ts'

export const publicCharge = ({ seq: _, ...row }: ChargeRow & Partial<PlacedCharge>): Charge => ({
  ...row,
  reservedAt: isoOf(row.reservedAt),
  endedAt: row.endedAt === null ? null : isoOf(row.endedAt),
  reason: reasonOf(row.reason),
  // Clocks may step back.
  latencyMs: row.latencyMs === null ? null : Math.max(0, row.latencyMs),
  ...usedBy(row.usage),
})

/** A refused call has the provider's code where a settled one has its usage. */
function usedBy(stored: string | null): Pick<Charge, 'usage' | 'upstreamCode'> {
  const { upstreamCode = null, ...usage } = JSON.parse(stored ?? '{}')
  return { usage: stored === null || upstreamCode !== null ? null : usage, upstreamCode }
}

/** What the list of reviews shows of a charge; `since` comes last. */
const reviewFields = Object.keys(Review.properties).filter((field) => field !== 'since')

export function publicReview(row: ChargeRow): Review {
  const charge = publicCharge(row)
  const shown = Object.entries(charge).filter(([field]) => reviewFields.includes(field))
  return { ...Object.fromEntries(shown), since: charge.endedAt! } as Review
}

export function publicChargeDetails({
  charge: { pricingVersion, hasContent, ...charge },
  entries,
  decision,
}: ChargeDetailRows): ChargeDetails {
  const enteredAt = (kind: EntryRow['kind']) => {
    const entry = entries.find((candidate) => candidate.kind === kind)
    return entry ? isoOf(entry.enteredAt) : null
  }
  return {
    ...publicCharge(charge),
    pricingVersion,
    amountFen: fenOfCredits(charge.credits),
    chargedCredits: charge.state === 'settled' ? charge.credits : 0,
    settledAt: enteredAt('settle'),
    releasedAt: enteredAt('release'),
    reviewedAt: enteredAt('review'),
    hasContent,
    entries: entries.map(publicEntry),
    decision: decision && { ...decision, decidedAt: isoOf(decision.decidedAt) },
  }
}

export const publicEntry = (row: EntryRow): LedgerEntry => ({
  ...row,
  paidAt: isoOrNull(row.paidAt),
  enteredAt: isoOf(row.enteredAt),
})

export async function overviewOf(
  store: ReportStore,
  projectId: string,
  now: number,
): Promise<Omit<Overview, 'baseUrl' | 'smsInboxUrl' | 'paymentMode'>> {
  const today = dayOf(now)
  const state = await store.state(projectId, today - 29)
  const { available, reserved, credited, underWay, inReview, hasKey, hasCall } = state
  const ofLast = (days: number) => state.settled.filter(({ day }) => day > today - days)
  const spent = (days: number) => ofLast(days).reduce((sum, { credits }) => sum + credits, 0)
  const last7Days = spent(7)
  const spentPerDay = averageOf(last7Days, state, now)
  return {
    credits: { available, reserved },
    bought: credited,
    held: [
      { state: 'reserved', ...underWay },
      { state: 'manual_review', ...inReview },
    ],
    spent: { today: spent(1), last7Days, last30Days: spent(30) },
    callsToday: ofLast(1).reduce((sum, { calls }) => sum + calls, 0),
    spentPerDay,
    runwayDays: spentPerDay === null ? null : Math.floor(available / spentPerDay),
    firstSteps: { hasOrder: credited > 0, hasKey, hasCall },
  }
}

const averagedDays = 7

/** Null with less than a day of data, which predicts nothing. */
function averageOf(credits: number, { firstCallAt, isArchived }: ProjectState, now: number): number | null {
  const isLong = isArchived || firstCallAt === null
  const days = isLong ? averagedDays : Math.min(averagedDays, (now - firstCallAt) / dayMs)
  return credits === 0 || days < 1 ? null : credits / days
}
