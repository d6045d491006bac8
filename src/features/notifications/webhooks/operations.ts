import { response } from '../../../contract/operation.ts'
import { view, write } from '../../../contract/operations/access.ts'
import {
  CreatedWebhook,
  CreateWebhookRequest,
  DeletedWebhook,
  deliveryIdPattern,
  RotatedWebhookSecret,
  UpdateWebhookRequest,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookDeliveryList,
  WebhookList,
  webhookIdPattern,
} from './contract.ts'

const tag = 'Webhooks'
const path = '/v1/console/webhooks'
const webhookParameter = {
  webhookId: { pattern: webhookIdPattern, code: 'WEBHOOK_NOT_FOUND' },
} as const
const deliveryParameters = {
  ...webhookParameter,
  deliveryId: { pattern: deliveryIdPattern, code: 'DELIVERY_NOT_FOUND' },
} as const
const ofWebhook = { tag, pathParameters: webhookParameter } as const

export const webhookOperations = [
  view({
    id: 'console.webhooks.list',
    tag,
    path,
    summary: 'List the webhooks',
    response: response(200, 'The webhooks of the project.', WebhookList),
  }),
  write({
    tag,
    id: 'console.webhooks.create',
    path,
    summary: 'Create a webhook',
    description:
      'Events of these types are sent to the URL from now on, as POST requests signed according to the Standard Webhooks specification. The secret is shown once.',
    request: CreateWebhookRequest,
    responses: [response(201, 'The new webhook, with its secret.', CreatedWebhook)],
    ownErrors: ['STEP_UP_REQUIRED', 'INVALID_URL', 'INVALID_EVENT_TYPES', 'WEBHOOK_LIMIT_REACHED'],
  }),
  write({
    ...ofWebhook,
    id: 'console.webhooks.update',
    path: `${path}/{webhookId}/update`,
    summary: 'Change a webhook, or switch it on or off',
    description:
      'A field that is left out stays as it is. While it is disabled, nothing is sent and no new event is kept for it.',
    request: UpdateWebhookRequest,
    responses: [response(200, 'The webhook as it is now.', Webhook)],
    ownErrors: ['STEP_UP_REQUIRED', 'INVALID_URL', 'INVALID_EVENT_TYPES', 'INVALID_STATE', 'WEBHOOK_NOT_FOUND'],
  }),
  write({
    ...ofWebhook,
    id: 'console.webhooks.delete',
    path: `${path}/{webhookId}/delete`,
    summary: 'Delete a webhook and its deliveries',
    responses: [response(200, 'The webhook is gone.', DeletedWebhook)],
    ownErrors: ['STEP_UP_REQUIRED', 'WEBHOOK_NOT_FOUND'],
  }),
  write({
    ...ofWebhook,
    id: 'console.webhooks.rotate_secret',
    path: `${path}/{webhookId}/rotate-secret`,
    summary: 'Replace the secret of a webhook',
    description: 'For 24 hours, messages are signed with both secrets.',
    responses: [response(200, 'The new secret.', RotatedWebhookSecret)],
    ownErrors: ['STEP_UP_REQUIRED', 'WEBHOOK_NOT_FOUND'],
  }),
  write({
    ...ofWebhook,
    id: 'console.webhooks.test',
    path: `${path}/{webhookId}/test`,
    summary: 'Send a test event',
    description: 'Sends an event of the type `webhook.test` once, without retries. At most three can be waiting.',
    responses: [response(202, 'The event is about to be sent.', WebhookDelivery)],
    ownErrors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED', 'WEBHOOK_TESTS_WAITING'],
  }),
  view({
    id: 'console.webhooks.deliveries',
    tag,
    path: `${path}/{webhookId}/deliveries`,
    summary: 'List the last 50 deliveries',
    description: 'Newest first.',
    pathParameters: webhookParameter,
    response: response(200, 'The last deliveries.', WebhookDeliveryList),
    ownErrors: ['WEBHOOK_NOT_FOUND'],
  }),
  view({
    id: 'console.webhooks.delivery',
    tag,
    path: `${path}/{webhookId}/deliveries/{deliveryId}`,
    summary: 'Read a delivery with its event and its last response',
    description: 'Kept as long as the delivery is listed.',
    pathParameters: deliveryParameters,
    response: response(200, 'The delivery.', WebhookDeliveryDetails),
    ownErrors: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
  }),
  write({
    tag,
    id: 'console.webhooks.redeliver',
    path: `${path}/{webhookId}/deliveries/{deliveryId}/redeliver`,
    summary: 'Send an event again',
    description: 'With the same webhook-id and body, as a new delivery.',
    pathParameters: deliveryParameters,
    responses: [response(202, 'The event is about to be sent.', WebhookDelivery)],
    ownErrors: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND', 'WEBHOOK_DISABLED'],
  }),
]
