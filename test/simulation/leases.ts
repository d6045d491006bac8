import { leaseLengthMs } from '../../src/storage/postgres/instance-rows.ts'
import type { UpstreamRequest } from './network.ts'
import type { SimulatedStore } from './store.ts'
import { origins, type Truth } from './upstreams.ts'
import type { Process, World } from './world.ts'

/** A gateway measures its lease by its own clock, which may be this far off the server's. */
const driftMs = 20

/** Whoever asks a provider about a charge has a lease in the store: without one, others may have ended the charge. */
export function createLeaseCheck(world: World, store: SimulatedStore, truth: Truth) {
  const leaseOf = (owner: Process): number => {
    const [instanceId] = [...store.instances].find(([, process]) => process === owner) ?? ['none']
    const select = 'SELECT lease_until AS "until" FROM instances WHERE instance_id = $1'
    return store.db.get<{ until: number }>(select, [instanceId])?.until ?? 0
  }
  return (sender: Process, origin: string, request: UpstreamRequest): void => {
    // A failover that loses a renewal takes the lease from a gateway that cannot know it.
    if (!isAboutCharge(origin, request) || world.time - truth.lostCommitsAt < leaseLengthMs) return
    const lateMs = world.epoch + world.time - leaseOf(sender)
    if (lateMs > driftMs)
      world.fail(`${sender.name} sent ${request.method} ${request.path} ${lateMs} ms after the end of its lease`)
  }
}

/** Calls, submissions, and the first question about a job; what follows an answer may come late. */
function isAboutCharge(origin: string, { method, path }: UpstreamRequest): boolean {
  if (origin === origins.model || origin === origins.shop) return true
  const action = path.split('?')[0]!.split('/')[3]
  return origin === origins.media && (method === 'GET' || method === 'POST') && action === undefined
}
