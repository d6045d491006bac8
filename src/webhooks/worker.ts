import { createWorkLoop, type WorkLoop } from '../work-loop.ts'
import { createDeliver, type DeliverDeps } from './deliver.ts'
import type { DeliveryQueue } from './ports.ts'

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
