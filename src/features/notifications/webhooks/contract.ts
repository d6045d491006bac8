import { type Static, type TUnsafe, Type } from '../../../base/schema.ts'
import { type EventType, eventIdPattern, eventShapes, eventTypes, type ShownEvent } from '../../../contract/events.ts'
import { Choice, closed, DateTime, failsWith, Nullable, named, request } from '../../../contract/field.ts'

export const maxWebhooks = 10
export const shownDeliveries = 50
export const webhookIdPattern = '^whk_[A-Za-z0-9]+$'
export const deliveryIdPattern = '^dlv_[A-Za-z0-9]+$'
/** How long messages are also signed with the secret before the last rotation. */
export const previousSecretHours = 24
/** Sent on request, to try an endpoint out. */
export const testType = 'webhook.test'
/** Tests of one webhook that may wait to be sent. */
export const maxWaitingTests = 3

export const webhookStates = ['enabled', 'disabled'] as const
/** `failing`: an event was not accepted for three days. `backlog`: too many events wait. `owner`: switched off in the console. */
export const disabledReasons = ['failing', 'backlog', 'owner'] as const
export const deliveryStates = ['waiting', 'delivered', 'failed'] as const
export const deliveryFaults = [
  'status',
  'redirected',
  'timed_out',
  'unreachable',
  'name_not_found',
  'address_refused',
  'tls_failed',
] as const

const Types = () =>
  Type.Array(Choice(eventTypes), {
    minItems: 1,
    maxItems: eventTypes.length,
    uniqueItems: true,
    description: 'The types of events that are sent.',
    ...failsWith('INVALID_EVENT_TYPES'),
  })

const Url = () =>
  Type.String({
    minLength: 1,
    maxLength: 2048,
    description:
      'https, on port 443 or above 1023, without username, password or fragment. Private, loopback and other special addresses are refused.',
    examples: ['https://example.com/webhooks'],
    ...failsWith('INVALID_URL'),
  })

export const CreateWebhookRequest = request('CreateWebhookRequest', { url: Url(), types: Types() })

export const UpdateWebhookRequest = request('UpdateWebhookRequest', {
  url: Type.Optional(Url()),
  types: Type.Optional(Types()),
  state: Type.Optional(
    Choice(webhookStates, {
      description: 'Waiting events are sent once it is enabled.',
      ...failsWith('INVALID_STATE'),
    }),
  ),
})

const identity = {
  webhookId: Type.String({ pattern: webhookIdPattern }),
  url: Type.String({ minLength: 1 }),
  types: Type.Array(Choice(eventTypes), { minItems: 1 }),
  state: Choice(webhookStates),
}
const secret = Type.String({
  pattern: '^whsec_[A-Za-z0-9+/]+=*$',
  description: 'Verifies signatures as the Standard Webhooks specification says. Shown once.',
})

export const CreatedWebhook = named('CreatedWebhook', { ...identity, secret, createdAt: DateTime() })

export const Webhook = named('Webhook', {
  ...identity,
  disabledReason: Type.Union([Choice(disabledReasons), Type.Null()]),
  disabledAt: Nullable(DateTime()),
  createdAt: DateTime(),
})

export const WebhookList = named('WebhookList', {
  items: Type.Array(Webhook, { maxItems: maxWebhooks }),
  max: Type.Integer({ minimum: 1, description: 'The most webhooks of a project.' }),
})

export const RotatedWebhookSecret = named('RotatedWebhookSecret', {
  webhookId: identity.webhookId,
  secret,
  previousExpiresAt: DateTime('Until then, every message has a signature with the previous secret as well.'),
})

export const DeletedWebhook = named('DeletedWebhook', {
  webhookId: identity.webhookId,
  state: Type.Literal('deleted'),
})

const Milliseconds = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description })

const delivery = {
  deliveryId: Type.String({ pattern: deliveryIdPattern }),
  eventId: Type.String({ pattern: eventIdPattern, description: 'The webhook-id, the same in every attempt.' }),
  type: Choice([...eventTypes, testType]),
  status: Choice(deliveryStates),
  attempts: Type.Integer({ minimum: 0 }),
  answerStatus: Type.Union([Type.Integer({ minimum: 100, maximum: 999 }), Type.Null()], {
    description: 'The HTTP status of the last response.',
  }),
  answerMs: Milliseconds('How long the last response took.'),
  fault: Type.Union([Choice(deliveryFaults), Type.Null()], { description: 'Why the last attempt failed.' }),
  createdAt: DateTime(),
  lastAttemptAt: Nullable(DateTime()),
  nextAttemptAt: Nullable(DateTime()),
}

export const WebhookDelivery = named('WebhookDelivery', delivery)

export const WebhookDeliveryDetails = named('WebhookDeliveryDetails', {
  ...delivery,
  body: Type.String({ description: 'The event as it is sent.' }),
  answerBody: Type.Union([Type.String(), Type.Null()], {
    description: 'The first 1,024 bytes of the last response; a longer one ends with an ellipsis.',
  }),
})

export const WebhookDeliveryList = named('WebhookDeliveryList', {
  items: Type.Array(WebhookDelivery, { maxItems: shownDeliveries }),
})

const TestEvent = named('WebhookTestEvent', {
  id: Type.String({ pattern: eventIdPattern }),
  type: Type.Literal(testType),
  at: DateTime(),
  projectId: Type.String({ minLength: 1 }),
  data: closed({}),
})

/** The body of a delivery. */
export const WebhookEvent = Type.Union([...eventShapes, TestEvent]) as unknown as TUnsafe<
  ShownEvent | Static<typeof TestEvent>
>
export type WebhookEvent = Static<typeof WebhookEvent>
export type WebhookState = (typeof webhookStates)[number]
export type DisabledReason = (typeof disabledReasons)[number]
export type DeliveryState = (typeof deliveryStates)[number]
export type DeliveryFault = (typeof deliveryFaults)[number]
export type DeliveryType = EventType | typeof testType
export type CreateWebhookRequest = Static<typeof CreateWebhookRequest>
export type UpdateWebhookRequest = Static<typeof UpdateWebhookRequest>
export type CreatedWebhook = Static<typeof CreatedWebhook>
export type Webhook = Static<typeof Webhook>
export type WebhookList = Static<typeof WebhookList>
export type RotatedWebhookSecret = Static<typeof RotatedWebhookSecret>
export type DeletedWebhook = Static<typeof DeletedWebhook>
export type WebhookDelivery = Static<typeof WebhookDelivery>
export type WebhookDeliveryDetails = Static<typeof WebhookDeliveryDetails>
export type WebhookDeliveryList = Static<typeof WebhookDeliveryList>
