import { sortableIdFloor } from '../../src/contract/ids.ts'
import { type BillableOperation, prices } from '../../src/contract/prices.ts'
import type { Value } from '../../src/storage/engine.ts'
import { type Database, openDatabase } from './engines.ts'

export interface SeededCharge {
  readonly at: number
  readonly operation?: BillableOperation
  readonly state?: 'settled' | 'released' | 'manual_review'
  readonly keyId?: string
  readonly reason?: string | null
}

let seeds = 0

/** Past calls without their entries, written in bulk beside the gateway; answers their ids, oldest first. */
export async function seedCharges(
  database: Database,
  { projectId, keyId }: { projectId: string; keyId: string },
  charges: readonly SeededCharge[],
): Promise<string[]> {
  const rows = charges.map(({ at, operation = 'model.chat', state = 'settled', ...more }) => {
    seeds += 1
    return {
      chargeId: `${sortableIdFloor('chg', at)}${String(seeds).padStart(12, '0')}`,
      credits: prices[operation].credits,
      keyId: more.keyId ?? keyId,
      reason: more.reason ?? null,
      ...{ at, operation, state },
    }
  })
  const store = await openDatabase(database, { exclusive: false })
  await store.write(async (tx) => {
    const insert = async (table: string, columns: string, tuples: Value[][]) => {
      for (let start = 0; start < tuples.length; start += 500) {
        const part = tuples.slice(start, start + 500)
        const places = part.map((tuple, i) => `(${tuple.map((_, j) => `$${i * tuple.length + j + 1}`).join()})`)
        await tx.run(`INSERT INTO ${table} (${columns}) VALUES ${places.join()}`, part.flat())
      }
    }
    await insert(
      'charges',
      `charge_id, project_id, key_id, operation, credits, pricing_version, state, fingerprint, isolation_version,
        leaves_process, instance_id, request_id, reserved_at, ended_at, reason`,
      rows.map(({ chargeId, keyId, operation, credits, state, at, reason }): Value[] => [
        ...[
          chargeId,
          projectId,
          keyId,
          operation,
          credits,
          'v1',
          state,
          'f',
          1,
          0,
          'ins_x',
          'req_x',
          at,
          at + 20,
          reason,
        ],
      ]),
    )
  })
  await store.close()
  return rows.map(({ chargeId }) => chargeId)
}
