import { type Static, Type } from 'typebox'
import { Choice, closed, named } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { Day } from '../../../contract/paging.ts'
import { chargedOperations } from '../../../contract/prices.ts'
import {
  Count,
  idParameter,
  OrNull,
  operatorAction,
  operatorView,
  ReasonRequest,
  Text,
  Time,
  TimeOrNull,
} from '../../../operator-kit/operation.ts'
import { ReconcileRun, runExample } from './system.ts'

const providerKinds = ['model', 'shop', 'media'] as const

export const ProviderState = named('ProviderState', {
  kind: Choice(providerKinds),
  name: Text(),
  adapter: Text('What serves it: local, openai, pick-http or disabled.'),
  state: Choice(['in_service', 'out_of_service', 'disabled'], {
    description: 'disabled: in the configuration. out_of_service: by an operator, on all instances.',
  }),
  changedBy: OrNull(Text(), 'Who last took it out of service or put it back.'),
  changedAt: TimeOrNull(),
  breaker: OrNull(Choice(['closed', 'open', 'half_open']), 'Circuit breaker of this instance; null without one.'),
  underWay: Count('Calls of this instance that wait for the provider.'),
  maxConcurrent: OrNull(Type.Integer({ minimum: 1 }), 'The most calls at a time; null for no limit.'),
  outcomes: named('ProviderOutcomes', {
    minutes: Type.Integer({ minimum: 1, description: 'The span that is counted, on this instance.' }),
    confirmed: Count(),
    refused: Count(),
    unavailable: Count(),
    uncertain: Count(),
    codes: Type.Array(closed({ code: Text(), calls: Count() }), {
      description: 'Error codes and reasons of the calls that failed, the most frequent first.',
      maxItems: 20,
    }),
  }),
})
export const ProviderDay = named('ProviderDay', {
  kind: Choice(providerKinds),
  name: Text(),
  calls: Count(),
  confirmed: Count(),
  rejected: Count('Refused for what the caller sent (4xx).'),
  failed: Count('Refused or unavailable for any other reason (5xx).'),
  uncertain: Count(),
  latency: OrNull(
    named('ProviderLatency', { p50Ms: Type.Integer({ minimum: 0 }), p95Ms: Type.Integer({ minimum: 0 }) }),
    'Within half as much again; null without calls that were timed.',
  ),
})
const ProviderDays = named('ProviderDays', { items: Type.Array(ProviderDay, { maxItems: 100 }) })

const ProviderList = named('ProviderList', { items: Type.Array(ProviderState, { maxItems: 100 }) })

const providerExample: Static<typeof ProviderState> = {
  kind: 'model',
  name: 'model_provider_a',
  adapter: 'openai',
  state: 'in_service',
  changedBy: null,
  changedAt: null,
  breaker: 'closed',
  underWay: 2,
  maxConcurrent: 64,
  outcomes: {
    minutes: 15,
    confirmed: 410,
    refused: 1,
    unavailable: 2,
    uncertain: 0,
    codes: [{ code: 'PROVIDER_RATE_LIMITED', calls: 2 }],
  },
}

const pathParameters = {
  kind: idParameter('^(model|shop|media)$', 'PROVIDER_NOT_FOUND', 'model'),
  name: idParameter('^[A-Za-z][A-Za-z0-9_-]{0,63}$', 'PROVIDER_NOT_FOUND', providerExample.name),
}

export const providerOperations = [
  operatorView({
    id: 'operator.providers.list',
    tag: 'Providers',
    path: '/api/providers',
    summary: 'List the providers',
    response: response(200, 'The providers.', ProviderList, { items: [providerExample] }),
    isPolled: true,
  }),
  operatorView({
    id: 'operator.providers.day',
    tag: 'Providers',
    path: '/api/providers/day',
    summary: 'See how the providers did in the last 24 hours',
    description: 'Over all instances; those of other instances may lack the last minute.',
    response: response(200, 'The providers.', ProviderDays, {
      items: [
        {
          ...{
            kind: 'model',
            name: providerExample.name,
            calls: 5,
            confirmed: 2,
            rejected: 1,
            failed: 1,
            uncertain: 1,
          },
          latency: { p50Ms: 384, p95Ms: 865 },
        },
      ],
    }),
    isPolled: true,
  }),
  operatorAction({
    id: 'operator.providers.take_out',
    tag: 'Providers',
    path: '/api/providers/{kind}/{name}/take-out',
    summary: 'Take a provider out of service',
    description:
      'On all instances, within about a second. New calls get PROVIDER_DISABLED and cost nothing; calls in progress finish.',
    permission: 'providers',
    pathParameters,
    request: ReasonRequest,
    requestExample: { reason: 'The vendor announced an outage.' },
    responses: [response(200, 'It is out of service.', ProviderState, { ...providerExample, state: 'out_of_service' })],
    ownErrors: ['PROVIDER_NOT_FOUND', 'REASON_INVALID'],
  }),
  operatorAction({
    id: 'operator.providers.put_back',
    tag: 'Providers',
    path: '/api/providers/{kind}/{name}/put-back',
    summary: 'Put a provider back in service',
    permission: 'providers',
    pathParameters,
    request: ReasonRequest,
    requestExample: { reason: 'The outage is over.' },
    responses: [response(200, 'It is in service.', ProviderState, providerExample)],
    ownErrors: ['PROVIDER_NOT_FOUND', 'REASON_INVALID'],
  }),
]

export type ProviderDay = Static<typeof ProviderDay>
export type ProviderState = Static<typeof ProviderState>

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
          rejected: Count('Of these, those refused to the caller: 4xx, or a provider that is out of service.'),
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
  providers: Type.Array(ProviderState, { maxItems: 100 }),
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

const latency = { p50Ms: 4.2, p95Ms: 11.8, p99Ms: 25 }
const example: Static<typeof OperatorOverview> = {
  instance: {
    instanceId: 'ins_5vX2mQ8rT1yW4zB7cD9eF3',
    startedAt: '2026-09-03T08:00:00.000Z',
    minutes: [{ at: '2026-09-03T09:00:00.000Z', calls: 120, failed: 1, rejected: 2, credits: 354 }],
    sumMinutes: summedMinutes,
    operations: [{ operation: 'model.chat', calls: 120, failed: 1, rejected: 2, credits: 354, latency }],
    codes: [{ code: 'INSUFFICIENT_PAID_CREDITS', calls: 2 }],
    latency,
  },
  days: [{ day: '2026-09-03', operation: 'model.chat', calls: 4100, credits: 12_300 }],
  credits: { bought: 100_000, granted: 500, withdrawn: 0, spent: 57_000, reserved: 3, available: 43_497 },
  reviews: { open: 1, credits: 3, oldestAt: '2026-09-03T08:30:00.000Z' },
  pendingApprovals: 0,
  providers: [providerExample],
  instances: [
    {
      instanceId: 'ins_5vX2mQ8rT1yW4zB7cD9eF3',
      isThis: true,
      startedAt: '2026-09-03T08:00:00.000Z',
      leaseUntil: '2026-09-03T09:00:12.000Z',
      isLive: true,
    },
  ],
  lastReconcile: runExample,
}

export const overviewOperations = [
  operatorView({
    id: 'operator.overview',
    tag: 'Overview',
    path: '/api/overview',
    summary: 'See what happens now',
    description:
      'Designed to be polled every 2 seconds: each instance computes it at most once a second for all readers. Polling does not keep the session alive.',
    response: response(200, 'The overview.', OperatorOverview, example, 'ETag'),
    isPolled: true,
  }),
]

export type OperatorOverview = Static<typeof OperatorOverview>
export type ActivityNow = OperatorOverview['instance']
