import { endpoint, ok, pathParameter, type ViewDeps, viewRoute } from '../../../http/endpoint.ts'
import type { Route } from '../../../http/route.ts'
import {
  type CreateWebhookRequest,
  maxWebhooks,
  type UpdateWebhookRequest,
  type WebhookDeliveryList,
  type WebhookList,
} from './contract.ts'
import type { Webhooks } from './webhooks.ts'

export interface WebhookRouteDeps extends ViewDeps {
  readonly webhooks: Webhooks
}

export function webhookRoutes(deps: WebhookRouteDeps): Route[] {
  const { operation, guards, webhooks } = deps
  const update = operation('console.webhooks.update')
  const deliveries = operation('console.webhooks.deliveries')
  const delivery = operation('console.webhooks.delivery')
  const redeliver = operation('console.webhooks.redeliver')

  /** A write that takes nothing but the webhook. */
  function action(
    id: string,
    status: number,
    act: (projectId: string, webhookId: string) => Promise<object>,
    admit = guards.sensitiveWrite,
  ): Route {
    const row = operation(id)
    return endpoint<object>(row, async (call, read) => {
      const { projectId } = await admit(call)
      await read(call)
      return { status, body: await act(projectId, pathParameter(row, call, 'webhookId')) }
    })
  }

  return [
    viewRoute(deps, 'console.webhooks.list', async ({ session }) =>
      ok({ items: await webhooks.list(session.projectId), max: maxWebhooks } satisfies WebhookList),
    ),
    endpoint<CreateWebhookRequest>(operation('console.webhooks.create'), async (call, read) => {
      const { projectId } = await guards.sensitiveWrite(call)
      return { status: 201, body: await webhooks.create(projectId, await read(call)) }
    }),
    endpoint<UpdateWebhookRequest>(update, async (call, read) => {
      const { projectId } = await guards.sensitiveWrite(call)
      const changes = await read(call)
      return ok(await webhooks.update(projectId, pathParameter(update, call, 'webhookId'), changes))
    }),
    action('console.webhooks.delete', 200, webhooks.remove),
    action('console.webhooks.rotate_secret', 200, webhooks.rotateSecret),
    action('console.webhooks.test', 202, webhooks.test, guards.sessionWrite),
    viewRoute(deps, 'console.webhooks.deliveries', async ({ session, call }) => {
      const items = await webhooks.deliveries(session.projectId, pathParameter(deliveries, call, 'webhookId'))
      return ok({ items } satisfies WebhookDeliveryList)
    }),
    viewRoute(deps, delivery.id, async ({ session, call }) => {
      const [webhookId, deliveryId] = ['webhookId', 'deliveryId'].map((name) => pathParameter(delivery, call, name))
      return ok(await webhooks.delivery(session.projectId, webhookId!, deliveryId!))
    }),
    endpoint<object>(redeliver, async (call, read) => {
      const { projectId } = await guards.sessionWrite(call)
      await read(call)
      const [webhookId, deliveryId] = ['webhookId', 'deliveryId'].map((name) => pathParameter(redeliver, call, name))
      return { status: 202, body: await webhooks.redeliver(projectId, webhookId!, deliveryId!) }
    }),
  ]
}
