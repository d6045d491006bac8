import { describe, expect, test } from 'vitest'
import { tokenDigest } from '../../src/base/signatures.ts'
import { createDeliveries } from '../../src/features/openai/deliveries.ts'
import { type Engine, StoreUnavailable } from '../../src/storage/engine.ts'

/** A row of another instance, which is gone; the store loses the answers to the first `lost` commits. */
function createStore(lost: number) {
  const row = { chargeId: 'chg_1', requestId: 'req_1', instanceId: 'ins_gone', isLost: 0, digest: '' }
  let left = lost
  const run = async (sql: string, params: readonly unknown[] = []): Promise<number> => {
    if (sql.includes('SET instance_id')) {
      const [, by, from, isLost] = params
      if (row.instanceId !== from || row.isLost !== isLost) return 0
      Object.assign(row, { instanceId: by, isLost: 0 })
      return 1
    }
    if (sql.includes('SET is_lost = 1')) row.isLost = 1
    return 1
  }
  const engine = {
    read: async (work: (tx: object) => Promise<unknown>) => work({ all: async () => [{ ...row }] }),
    write: async (work: (tx: object) => Promise<unknown>) => {
      const result = await work({ run })
      left -= 1
      if (left >= 0) throw new StoreUnavailable('lost during the commit', { mayHaveCommitted: true })
      return result
    },
  } as unknown as Engine
  return { engine, row }
}

describe('a repeat that finds a lost answer', () => {
  test('leaves it to the next repeat if the store loses the answer to its claim', async () => {
    const { engine, row } = createStore(1)
    row.digest = tokenDigest('idempotency', row.requestId)
    const lease = { instanceId: 'ins_here', liveInstances: async () => ['ins_here'], canRecoverOthers: () => true }
    const deliveries = createDeliveries({ engine, lease, clock: () => 0, onFault: () => {} })
    const repeated = { keyId: 'key_1', operation: 'model.chat', request: {} } as const

    await expect(deliveries.findLost(repeated)).rejects.toThrow('lost during the commit')
    await deliveries.written()
    expect(await deliveries.findLost(repeated)).toEqual({ chargeId: 'chg_1', idempotencyKey: 'req_1' })
  })
})
