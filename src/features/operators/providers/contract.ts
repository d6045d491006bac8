import { type Static, Type } from '../../../base/schema.ts'
import { Choice, closed, named } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import {
  Count,
  idParameter,
  OrNull,
  operatorAction,
  operatorView,
  ReasonRequest,
  Text,
  TimeOrNull,
} from '../../../operator-kit/operation.ts'

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
  isFailing: Type.Boolean({
    description:
      'In service, and at least half of the counted calls failed, without those that were refused for what the caller sent.',
  }),
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
export const FailingProvider = named('FailingProvider', {
  kind: Choice(providerKinds),
  name: Text(),
  calls: Count('Without those that were refused for what the caller sent.'),
  failed: Count('Of these, those that failed or ended uncertain.'),
})
export const ProviderDay = named('ProviderDay', {
  kind: Choice(providerKinds),
  name: Text(),
  calls: Count(),
  confirmed: Count(),
  rejected: Count('Refused for what the caller sent (4xx; by the provider with 400, 413 or 422).'),
  failed: Count('Refused or unavailable for any other reason (5xx).'),
  uncertain: Count(),
  latency: OrNull(
    named('ProviderLatency', { p50Ms: Type.Integer({ minimum: 0 }), p95Ms: Type.Integer({ minimum: 0 }) }),
    'Within half as much again; null without calls that were timed.',
  ),
})
const ProviderDays = named('ProviderDays', { items: Type.Array(ProviderDay, { maxItems: 100 }) })

const ProviderList = named('ProviderList', { items: Type.Array(ProviderState, { maxItems: 100 }) })

const pathParameters = {
  kind: idParameter('^(model|shop|media)$', 'PROVIDER_NOT_FOUND'),
  name: idParameter('^[A-Za-z][A-Za-z0-9_-]{0,63}$', 'PROVIDER_NOT_FOUND'),
}

export const providerOperations = [
  operatorView({
    id: 'operator.providers.list',
    tag: 'Providers',
    path: '/api/providers',
    summary: 'List the providers',
    response: response(200, 'The providers.', ProviderList),
    isPolled: true,
  }),
  operatorView({
    id: 'operator.providers.day',
    tag: 'Providers',
    path: '/api/providers/day',
    summary: 'See how the providers did in the last 24 hours',
    description: 'Over all instances; those of other instances may lack the last minute.',
    response: response(200, 'The providers.', ProviderDays),
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
    responses: [response(200, 'It is out of service.', ProviderState)],
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
    responses: [response(200, 'It is in service.', ProviderState)],
    ownErrors: ['PROVIDER_NOT_FOUND', 'REASON_INVALID'],
  }),
]

export type FailingProvider = Static<typeof FailingProvider>
export type ProviderDay = Static<typeof ProviderDay>
export type ProviderState = Static<typeof ProviderState>
