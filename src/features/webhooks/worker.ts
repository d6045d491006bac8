import { createWorkLoop, type WorkLoop } from '../../base/work-loop.ts'
import { type ProjectEvent, shownEvent } from '../../ledger/books.ts'
import { createDeliver, type DeliverDeps } from './deliver.ts'
import { newDelivery } from './delivery.ts'
import type { DeliveryInbox, DeliveryQueue } from './ports.ts'

/** Sends the events of webhooks, at least once each and one at a time for each webhook. */
export type WebhookWorker = Pick<WorkLoop, 'start' | 'wake' | 'idle' | 'stop' | 'underWay'>

export interface WebhookWorkerDeps extends DeliverDeps {
  readonly queue: DeliveryQueue
  /** The store failed. Reported once until it works again. */
  readonly onStoreFault: (error: unknown) => void
}

const maxSending = 32
/** Longer than an attempt, and than the clocks of two instances differ. */
const claimMs = 30_000

export function createWebhookWorker(deps: WebhookWorkerDeps): WebhookWorker {
  const { queue, clock, instanceId: by } = deps
  const deliver = createDeliver(deps)
  const loop = createWorkLoop({ look, onFault: deps.onStoreFault })

  async function look(): Promise<boolean> {
    const limit = maxSending - loop.underWay()
    // With all slots taken, the next attempt that ends looks again.
    if (limit === 0 || !(await queue.hasDue(clock())) || loop.isStopping()) return false
    const now = clock()
    const until = now + claimMs
    for (const claimed of await queue.claim({ by, now, until, limit })) loop.begin(deliver(claimed, until))
    return false
  }

  return loop
}

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
