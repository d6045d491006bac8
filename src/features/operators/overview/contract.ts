import { type Static, Type } from '../../../base/schema.ts'
import { Choice, named } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { Day } from '../../../contract/paging.ts'
import { chargedOperations } from '../../../contract/prices.ts'
import { Count, OrNull, operatorView, Text, Time, TimeOrNull } from '../../../operator-kit/operation.ts'
import { watchedMinutes } from '../../../providers/provider-watch.ts'
import { ReconcileRun } from '../../records/reconcile/contract.ts'
import { FailingProvider, ProviderState } from '../providers/contract.ts'

/** Minutes that each instance remembers, and the last of them that the sums are about. */
export const rememberedMinutes = 60
export const summedMinutes = 15
export const overviewDays = 30

const Latency = (description: string) =>
  OrNull(
    named('LatencyPercentiles', {
      p50Ms: Type.Number({ minimum: 0 }),
      p95Ms: Type.Number({ minimum: 0 }),
      p99Ms: Type.Number({ minimum: 0 }),
    }),
    description,
  )

export const OperatorOverview = named('OperatorOverview', {
  instance: named(
    'InstanceActivity',
    {
      instanceId: Text(),
      startedAt: Time(),
      minutes: Type.Array(
        named('ActivityMinute', {
          at: Time('When the minute began.'),
          calls: Count('Billable calls that were answered.'),
          failed: Count('Of these, those that failed here or at a provider (5xx).'),
          rejected: Count(
            'Of these, those refused to the caller: 4xx, also of the provider (400, 413, 422), or a provider that is out of service.',
          ),
          credits: Count('Credits settled by this instance.'),
        }),
        { maxItems: rememberedMinutes, description: 'The oldest first, without a gap; the last one is not over yet.' },
      ),
      sumMinutes: Type.Integer({ minimum: 1, description: 'How many of the last minutes the sums below cover.' }),
      operations: Type.Array(
        named('ActivityOfOperation', {
          operation: Choice(chargedOperations),
          calls: Count(),
          failed: Count(),
          rejected: Count(),
          credits: Count(),
          latency: Latency('Null without a call.'),
        }),
        { maxItems: chargedOperations.length },
      ),
      codes: Type.Array(named('ActivityOfCode', { code: Text(), calls: Count() }), {
        maxItems: 100,
        description: 'Error codes of billable calls, the most frequent first.',
      }),
      latency: Latency('Of all billable calls; null without one.'),
    },
    { description: 'Only of the responding instance, from its memory.' },
  ),
  days: Type.Array(
    named('SettledDayOfAll', {
      day: Day('A day in Shanghai.'),
      operation: Choice(chargedOperations),
      calls: Count(),
      credits: Count(),
    }),
    {
      maxItems: overviewDays * chargedOperations.length,
      description: `Settled calls of the last ${overviewDays} days, of all projects and instances, from the store.`,
    },
  ),
  credits: named(
    'CreditTotals',
    {
      bought: Count(),
      granted: Count(),
      withdrawn: Count(),
      spent: Count(),
      reserved: Count(),
      available: Count(),
    },
    {
      description:
        'Of all projects and instances, at most 10 seconds old: bought + granted - withdrawn = spent + reserved + available.',
    },
  ),
  reviews: named('OpenReviews', {
    open: Count(),
    credits: Count('Credits that they hold.'),
    oldestAt: TimeOrNull('When the oldest call was made.'),
  }),
  pendingApprovals: Count(),
  openMoney: named(
    'OpenMoney',
    {
      paymentsInReview: Count('Payments that an operator has to end: in review, or paid twice.'),
      refundsInReview: Count('Refunds whose outcome only the provider knows.'),
      openDifferences: Count('Differences between the payments and the bills.'),
    },
    { description: 'Money that needs a decision.' },
  ),
  lastDays: Type.Array(
    named('DayOfAll', {
      day: Day('A day in Shanghai.'),
      accounts: Count('Accounts that were registered.'),
      rechargedFen: Count('What was paid and credited.'),
      refundedFen: Count('What was paid back.'),
      settledCredits: Count(),
      failures: Count('Calls that failed at a provider, or have an unknown outcome.'),
    }),
    { maxItems: 2, description: 'Yesterday and the day before, at most a minute old.' },
  ),
  providers: Type.Array(ProviderState, { maxItems: 100 }),
  failingProviders: Type.Array(FailingProvider, {
    maxItems: 100,
    description: `Those in service of whose calls at least half failed, on this instance in the last ${watchedMinutes} minutes.`,
  }),
  instances: Type.Array(
    named('InstanceState', {
      instanceId: Text(),
      isThis: Type.Boolean(),
      startedAt: TimeOrNull('Null where the store does not record it.'),
      leaseUntil: TimeOrNull('When its lease ends unless it is renewed; null where the file lock is the lease.'),
      isLive: Type.Boolean(),
    }),
    { maxItems: 1000 },
  ),
  lastReconcile: OrNull(ReconcileRun),
})

export const overviewOperations = [
  operatorView({
    id: 'operator.overview',
    tag: 'Overview',
    path: '/api/overview',
    summary: 'See what happens now',
    description:
      'Designed to be polled every 2 seconds: each instance computes it at most once a second for all readers. Polling does not keep the session alive.',
    response: { ...response(200, 'The overview.', OperatorOverview), headers: ['ETag'] },
    isPolled: true,
  }),
]

export type OperatorOverview = Static<typeof OperatorOverview>
export type ActivityNow = OperatorOverview['instance']
