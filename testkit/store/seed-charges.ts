import { expect } from 'vitest'
import { sortableIdFloor } from '../../src/base/ids.ts'
import { type BillableOperation, prices } from '../../src/contract/prices.ts'
import { largestBatch } from '../../src/ledger/batch-queue.ts'
import type { Command, StoredResponse } from '../../src/ledger/commands.ts'
import { type Database, openDatabase } from './engines.ts'
import { admissionOf, type Customer, createRig } from './rig.ts'

export interface SeededCharge {
  readonly at: number
  readonly operation?: BillableOperation
  readonly state?: 'settled' | 'released' | 'manual_review'
  readonly keyId?: string
  readonly reason?: string | null
  readonly requestId?: string
}

let seeds = 0

/** Writes past calls into the books in this order, without a gateway; returns their ids. */
export async function seedCharges(
  database: Database,
  owner: Pick<Customer, 'projectId' | 'keyId'>,
  charges: readonly SeededCharge[],
): Promise<string[]> {
  const store = await openDatabase(database, { exclusive: false })
  const rig = createRig(store)
  const ids = charges.map(({ at }) => {
    seeds += 1
    return `${sortableIdFloor('chg', at)}${String(seeds).padStart(12, '0')}`
  })
  const commands = charges.flatMap(
    (
      { at, operation = 'model.chat', state = 'settled', keyId, reason = null, requestId = 'req' },
      place,
    ): Command[] => {
      const chargeId = ids[place]!
      const customer = { ...owner, ...(keyId && { keyId }), apiKey: '' }
      const { credits, scope } = prices[operation]
      const limit = { max: Number.MAX_SAFE_INTEGER, windowMs: 1 }
      const call = { chargeId, operation, credits, scope, limit, at, requestId, idempotencyDigest: chargeId }
      return [
        admissionOf(rig, customer, call),
        {
          ...{ type: 'end', chargeId, projectId: owner.projectId, from: 'reserved', to: state, reason },
          ...{ response: responses[state], usage: null, snapshots: [], decision: null, at: at + 20 },
        },
      ]
    },
  )
  for (let start = 0; start < commands.length; start += largestBatch) {
    const results = await rig.stores.batches.apply(commands.slice(start, start + largestBatch))
    expect(results.filter(({ kind }) => kind !== 'reserved' && kind !== 'ended')).toEqual([])
  }
  await store.close()
  return ids
}

const responses: Readonly<Record<NonNullable<SeededCharge['state']>, StoredResponse>> = {
  settled: { status: 200, code: null, body: '{}' },
  released: { status: 502, code: 'ADAPTER_FAILURE', body: '{}' },
  manual_review: { status: 202, code: null, body: '{}' },
}
