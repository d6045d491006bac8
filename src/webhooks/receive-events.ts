import { type ProjectEvent, shownEvent } from '../events/event.ts'
import { newDelivery } from './new-delivery.ts'
import type { DeliveryInbox } from './ports.ts'

/** Queues each event for the webhooks that want it. A webhook with too many waiting deliveries gets none; the worker disables it. */
export async function receiveEvents(
  inbox: DeliveryInbox,
  events: readonly ProjectEvent[],
  clock: () => number,
): Promise<void> {
  const projectIds = [...new Set(events.map(({ projectId }) => projectId))]
  for (const { webhookId, projectId, types } of await inbox.enabledWebhooks(projectIds)) {
    const wanted = events.filter((event) => event.projectId === projectId && types.includes(event.type))
    if (wanted.length === 0) continue
    const now = clock()
    const room = await inbox.open(webhookId, now)
    const rows = wanted
      .slice(0, room)
      .map((event) => newDelivery({ webhookId, event: shownEvent(event), isHolding: true, now }))
    if (rows.length > 0) await inbox.add(rows)
  }
}
