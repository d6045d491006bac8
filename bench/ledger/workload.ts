import { newSortableId } from '../../src/contract/ids.ts'
import type { Admit, End } from '../../src/ledger/commands.ts'
import type { Customer } from '../../test/support/rig.ts'

/** One batch of calls: first all of them are admitted, then all of them settle. */
export interface Batch {
  readonly admits: readonly Admit[]
  readonly ends: readonly End[]
}

const response = { status: 200, body: JSON.stringify({ status: 'settled', data: { output: '回答'.repeat(100) } }) }

/** Calls spread over the customers, as they would come in. */
export function createBatches(customers: readonly Customer[], size: number, count: number): Batch[] {
  let next = 0
  return Array.from({ length: count }, () => {
    const admits = Array.from({ length: size }, () => admitFor(customers[next++ % customers.length]!))
    return { admits, ends: admits.map(endOf) }
  })
}

function admitFor({ projectId, keyId }: Customer): Admit {
  const at = Date.now()
  const chargeId = newSortableId('chg', at)
  return {
    type: 'admit',
    chargeId,
    projectId,
    keyId,
    scope: 'models:invoke',
    limit: { max: 1_000_000_000, windowMs: 60_000 },
    fault: null,
    operation: 'model.chat',
    credits: 3,
    pricingVersion: 'bench',
    leavesProcess: true,
    idempotencyDigest: `digest of ${chargeId}`,
    fingerprint: `fingerprint of ${chargeId}`,
    isolationVersion: 1,
    instanceId: 'bench',
    requestId: chargeId,
    at,
  }
}

const endOf = ({ chargeId, projectId, at }: Admit): End => ({
  type: 'end',
  chargeId,
  projectId,
  from: 'reserved',
  to: 'settled',
  response,
  usage: '{"inputUnits":1,"outputUnits":2,"totalUnits":3}',
  reason: null,
  shown: [],
  decision: null,
  at,
})
