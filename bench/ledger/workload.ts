import { newSortableId } from '../../src/base/ids.ts'
import type { Admit, End } from '../../src/ledger/commands.ts'
import { admission, ending } from '../../testkit/store/commands.ts'
import type { Customer } from '../../testkit/store/rig.ts'

/** One batch of calls: all are admitted, then all are settled. */
export interface Batch {
  readonly admits: readonly Admit[]
  readonly ends: readonly End[]
}

const response = {
  status: 200,
  code: null,
  body: JSON.stringify({ status: 'settled', data: { output: '回答'.repeat(100) } }),
}

/** Calls spread over the customers, as in real traffic. */
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
  return admission({
    chargeId,
    projectId,
    keyId,
    idempotencyDigest: `digest of ${chargeId}`,
    fingerprint: `fingerprint of ${chargeId}`,
    requestId: chargeId,
    at,
  })
}

const endOf = ({ chargeId, projectId, at }: Admit): End =>
  ending({ chargeId, projectId, response, usage: '{"inputUnits":1,"outputUnits":2,"totalUnits":3}', at })
