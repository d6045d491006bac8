import { isoOf, isoOrNull } from '../../../base/time.ts'
import { operatorRefusal } from '../../../contract/error-codes/operators.ts'
import { originOf, storedResponseOf } from '../../../storage/charge-rows.ts'
import type { Engine, Reader } from '../../../storage/engine.ts'
import { jobOfCharge } from '../../calls/media/found.ts'
import { deliveryOf } from '../../calls/openai/deliveries.ts'
import { createReviewStore } from '../../calls/reviews/store.ts'
import { ownersOf } from '../../identity/accounts/operator/found.ts'
import { eventsOfCharge } from '../../notifications/events/store.ts'
import { deliveriesOfEvents } from '../../notifications/webhooks/store.ts'
import { publicChargeDetails } from '../../records/reports/public-charge.ts'
import type { ReportStore } from '../../records/reports/store.ts'
import { maxChargeEvents, type OperatedCharge } from './contract.ts'

interface ShownChargeDeps {
  readonly engine: Pick<Engine, 'read'>
  readonly reports: Pick<ReportStore, 'details'>
}

/** A charge with all that belongs to it, as far as it is still in the store. */
export async function showCharge({ engine, reports }: ShownChargeDeps, chargeId: string): Promise<OperatedCharge> {
  const found = await engine.read((tx) => belongingTo(tx, chargeId))
  const rows = found && (await reports.details(found.projectId, chargeId))
  if (!found || !rows) throw operatorRefusal('CHARGE_NOT_FOUND', `There is no charge ${chargeId}.`)
  const reviewed = await createReviewStore(engine).find(chargeId)
  const { hasContent: _, decision, ...charge } = publicChargeDetails(rows)
  return {
    ...charge,
    ...found,
    decision: decision && reviewed?.decision ? { ...decision, by: reviewed.decision.by } : null,
  }
}

async function belongingTo(tx: Reader, chargeId: string) {
  const origin = await originOf(tx, chargeId)
  if (!origin) return undefined
  const { projectId, instanceId, leavesProcess: isForwarded } = origin
  const { accountId, phoneMasked } = (await ownersOf(tx, [projectId])).get(projectId)!
  const job = await jobOfCharge(tx, chargeId)
  return {
    ...{ projectId, accountId, phoneMasked, instanceId, isForwarded },
    response: (await storedResponseOf(tx, chargeId)) ?? null,
    job: job ? { ...job, finishedAt: isoOrNull(job.finishedAt) } : null,
    delivery: await deliveryOf(tx, chargeId),
    events: await eventsOf(tx, projectId, chargeId),
  }
}

async function eventsOf(tx: Reader, projectId: string, chargeId: string): Promise<OperatedCharge['events']> {
  const events = (await eventsOfCharge(tx, projectId, chargeId)).slice(0, maxChargeEvents)
  const sent = await deliveriesOfEvents(tx, projectId, events)
  return events.map(({ id, type, at }) => ({
    ...{ eventId: id, type, at: isoOf(at) },
    deliveries: sent
      .filter(({ eventId }) => eventId === id)
      .map(({ eventId: _, lastAttemptAt, ...delivery }) => ({ ...delivery, lastAttemptAt: isoOrNull(lastAttemptAt) })),
  }))
}
