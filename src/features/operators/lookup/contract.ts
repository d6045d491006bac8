import { type Static, Type } from '../../../base/schema.ts'
import { eventTypes } from '../../../contract/events.ts'
import { Choice, chargeIdPattern, failsWith, jobIdPattern, named, request } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { foundKinds } from '../../../operator-kit/found.ts'
import {
  accountIdPattern,
  Count,
  idParameter,
  OrNull,
  operatorAction,
  operatorView,
  projectIdPattern,
  Text,
  Time,
  TimeOrNull,
} from '../../../operator-kit/operation.ts'
import { deliveryStates } from '../../notifications/webhooks/contract.ts'
import { ChargeDetails } from '../../records/reports/contract.ts'

export const maxFound = 20

const ofProject = {
  projectId: Type.String({ pattern: projectIdPattern }),
  accountId: Type.String({ pattern: accountIdPattern }),
}

const LookedUpItem = named('LookedUpItem', {
  kind: Choice(foundKinds),
  id: Text(),
  ...ofProject,
  label: Text(
    'The masked phone of an account or a project, the name or the prefix of a key, the operation of a call or the code with which it was refused, the amount of a payment, the status of a job.',
  ),
  path: Text('Its page in the operator console.'),
})
const LookedUpItems = named('LookedUpItems', { items: Type.Array(LookedUpItem, { maxItems: maxFound }) })

const quoted = { minLength: 2, maxLength: 254 } as const
const FindRequest = request(
  'FindRequest',
  { q: Type.String({ ...quoted, description: 'What to look for.', ...failsWith('QUERY_INVALID') }) },
  { description: 'May be personal, so it is never in a URL.' },
)
export type FindRequest = Static<typeof FindRequest>

export interface LookupParameters {
  readonly q?: string
}

const { hasContent: _, decision: __, ...details } = ChargeDetails.properties

const ChargeDelivery = named('ChargeEventDelivery', {
  webhookId: Text(),
  status: Choice(deliveryStates),
  attempts: Count(),
  lastAttemptAt: TimeOrNull(),
  answerStatus: OrNull(Type.Integer(), 'The HTTP status of the last response.'),
  fault: OrNull(Text(), 'Why the last attempt failed.'),
})

export const maxChargeEvents = 10

const OperatedCharge = named('OperatedCharge', {
  ...details,
  ...ofProject,
  phoneMasked: Text(),
  decision: OrNull(
    named('OperatedDecision', {
      decision: Choice(['settled', 'released']),
      by: Text(),
      reason: Text(),
      decidedAt: Time(),
    }),
    'What an operator decided about it.',
  ),
  response: OrNull(
    named('StoredChargeResponse', { status: Type.Integer(), code: OrNull(Text(), 'Null for a success.') }),
    'What a repeated call gets; null while there is none, and if the Idempotency-Key is free again.',
  ),
  instanceId: Text('The instance that made the call.'),
  isForwarded: Type.Boolean({ description: 'Whether the call is sent to a provider outside of the gateway.' }),
  job: OrNull(
    named('ChargedJob', {
      jobId: Type.String({ pattern: jobIdPattern }),
      status: Text(),
      provider: Text(),
      providerJobId: OrNull(Text(), 'Null until the provider has accepted it.'),
      errorCode: OrNull(Text()),
      polls: Count('How often the provider was asked about it.'),
      misses: Count('Responses that do not know the job.'),
      silences: Count('Questions without a response.'),
      contentTries: Count('How often its clip was downloaded.'),
      finishedAt: TimeOrNull(),
    }),
    'The media job of the charge, with its tries at the provider. Other calls ask their provider once.',
  ),
  delivery: OrNull(
    Choice(['pending', 'lost']),
    'Of the response to an OpenAI client: pending until it was written out, lost if the connection broke before. Null once it was written out, and for other calls.',
  ),
  events: Type.Array(
    named('ChargeEvent', {
      eventId: Text(),
      type: Choice(eventTypes),
      at: Time(),
      deliveries: Type.Array(ChargeDelivery, { maxItems: 100 }),
    }),
    {
      maxItems: maxChargeEvents,
      description: 'Of the last days, the oldest first, with their deliveries to webhooks.',
    },
  ),
})

export const lookupOperations = [
  operatorView({
    id: 'operator.search',
    tag: 'Accounts',
    path: '/api/search',
    summary: 'Find what a customer quotes',
    description: `By an id or its beginning (acc_, prj_, key_, chg_, req_, ord_, pay_, rfd_, job_), or the prefix of an API key; at most ${maxFound}, exact ids first, then the newest. An archived charge is found by its whole id and leads to its account. A request id is looked for among the calls that began after it, in a bounded number of them. Phone numbers, emails and API keys are refused with 400: send them with \`POST /api/search\`.`,
    queryParameters: {
      q: Type.String({ ...quoted, description: 'What to look for.' }),
    },
    response: response(200, 'What was found.', LookedUpItems),
  }),
  operatorAction({
    id: 'operator.find',
    tag: 'Accounts',
    path: '/api/search',
    summary: 'Find what a customer quotes, also by phone, email or API key',
    description: 'As with GET, and by a whole phone number or recovery email, or by an API key.',
    permission: null,
    request: FindRequest,
    responses: [response(200, 'What was found.', LookedUpItems)],
    ownErrors: ['QUERY_INVALID'],
  }),
  operatorView({
    id: 'operator.charges.show',
    tag: 'Accounts',
    path: '/api/charges/{chargeId}',
    summary: 'Show a charge with all that belongs to it',
    pathParameters: { chargeId: idParameter(chargeIdPattern, 'CHARGE_NOT_FOUND') },
    response: response(200, 'The charge.', OperatedCharge),
    ownErrors: ['CHARGE_NOT_FOUND'],
  }),
]

export type LookedUpItem = Static<typeof LookedUpItem>
export type OperatedCharge = Static<typeof OperatedCharge>
