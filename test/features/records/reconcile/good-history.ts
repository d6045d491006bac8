import { newSortableId } from '../../../../src/base/ids.ts'
import { tokenDigest } from '../../../../src/base/signatures.ts'
import type { BillableOperation } from '../../../../src/contract/prices.ts'
import { prices } from '../../../../src/contract/prices.ts'
import type { Admit, End, StoredResponse } from '../../../../src/ledger/commands.ts'
import { errorResponse, reviewResponse } from '../../../../src/relay/settle.ts'
import { decisionNote, ending, settledResponse } from '../../../../testkit/store/commands.ts'
import type { Store } from '../../../../testkit/store/engines.ts'
import {
  addCredits,
  admissionOf,
  type Customer,
  createCustomer,
  createRig,
  type Rig,
} from '../../../../testkit/store/rig.ts'

export const startedAt = Date.UTC(2026, 0, 2, 3, 4, 5, 6)

export interface GoodHistory {
  readonly rig: Rig
  readonly customer: Customer
  readonly other: Customer
  /** One charge in each state that a charge can be in. */
  readonly charges: Readonly<Record<Fate, string>>
  readonly admission: (chargeId: string, idempotencyKey: string) => Admit
  /** One more charge in review. */
  readonly hold: (idempotencyKey: string) => Promise<string>
}

const operation = 'model.chat' satisfies BillableOperation
const { credits, scope } = prices[operation]

export const fates = [
  'reserved',
  'settled',
  'refused',
  'freed',
  'waiting',
  'reviewedAndSettled',
  'reviewedAndReleased',
] as const
export type Fate = (typeof fates)[number]

/** Two customers with every kind of row. Each step advances the time by a second. */
export async function writeGoodHistory(store: Store): Promise<GoodHistory> {
  let now = startedAt
  const clock = () => now
  const rig = createRig(store, { clock, instanceId: 'ins_test' })
  const customer = await createCustomer(rig)
  const other = await createCustomer(rig)
  await addCredits(rig, customer.projectId, 100)
  await addCredits(rig, customer.projectId, 20)
  await addCredits(rig, other.projectId, 50)
  await rig.orders.create(other.projectId, 700, 'never paid')

  const admission = (chargeId: string, idempotencyKey: string, owner = customer): Admit =>
    admissionOf(rig, owner, {
      chargeId,
      scope,
      operation,
      credits,
      idempotencyDigest: tokenDigest('idempotency', idempotencyKey),
      requestId: `req_${idempotencyKey}`,
    })
  const reserve = async (idempotencyKey: string, owner = customer) => {
    now += 1000
    const chargeId = newSortableId('chg', now)
    const result = await rig.ledger.admit(admission(chargeId, idempotencyKey, owner))
    if (result.kind !== 'reserved') throw new Error(`not reserved but ${result.kind}`)
    return chargeId
  }
  const end = async (
    chargeId: string,
    to: End['to'],
    response: StoredResponse | null,
    more: Partial<End> = {},
    { projectId } = customer,
  ) => {
    now += 1000
    const command = ending({ chargeId, projectId, to, response, at: now, ...more })
    const result = await rig.ledger.end(command)
    if (result.kind !== 'ended') throw new Error(`not ended but ${result.kind}`)
    return chargeId
  }
  const settledWithBody = { ...settledResponse, body: '{"status":"settled"}' }
  const review = async (idempotencyKey: string) => {
    const chargeId = await reserve(idempotencyKey)
    const response = reviewResponse({ operation, credits, chargeId })
    return end(chargeId, 'manual_review', response, { reason: 'PROVIDER_CONNECTION_LOST' })
  }
  const decided = (chargeId: string, to: End['to']) => ({
    from: 'manual_review' as const,
    decision: decisionNote({ chargeId, to }),
  })

  const charges = {
    reserved: await reserve('reserved'),
    settled: await end(await reserve('settled'), 'settled', settledWithBody),
    refused: await end(await reserve('refused'), 'released', errorResponse('PROVIDER_REQUEST_REJECTED')),
    freed: await end(await reserve('freed'), 'released', null),
    waiting: await review('waiting'),
    reviewedAndSettled: await review('reviewed and settled'),
    reviewedAndReleased: await review('reviewed and released'),
  }
  const { reviewedAndSettled, reviewedAndReleased } = charges
  const response = reviewResponse({ operation, credits, chargeId: reviewedAndSettled }, 'settled')
  await end(reviewedAndSettled, 'settled', response, decided(reviewedAndSettled, 'settled'))
  await end(reviewedAndReleased, 'released', errorResponse('ADAPTER_FAILURE'), decided(reviewedAndReleased, 'released'))
  await end(await reserve('settled', other), 'settled', settledWithBody, {}, other)
  return { rig, customer, other, charges, admission, hold: review }
}
