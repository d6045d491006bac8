import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock, useClock } from '../../../../src/base/clock.ts'
import { tokenDigest } from '../../../../src/base/signatures.ts'
import { createDeliveries } from '../../../../src/features/calls/openai/deliveries.ts'
import type { Call } from '../../../../src/http/route.ts'
import { type Engine, StoreUnavailable } from '../../../../src/storage/engine.ts'

/** With one row; `failures` says how the first writes fail: after their commit, or before it. */
function createStore(instanceId: string, failures: readonly ('after' | 'before')[]) {
  const row = {
    chargeId: 'chg_1',
    requestId: 'req_1',
    instanceId,
    isLost: 0,
    digest: tokenDigest('idempotency', 'req_1'),
  }
  const left = [...failures]
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
      const failure = left.shift()
      if (failure === 'before') throw new StoreUnavailable('the store is down')
      const result = await work({ run })
      if (failure === 'after') throw new StoreUnavailable('lost during the commit', { mayHaveCommitted: true })
      return result
    },
  } as unknown as Engine
  return { engine, row }
}

const lease = { instanceId: 'ins_here', liveInstances: async () => ['ins_here'], canRecoverOthers: () => true }
const repeated = { keyId: 'key_1', operation: 'model.chat', request: {} } as const

describe('a repeat that finds a lost answer', () => {
  test('a repeat that finds a lost response leaves it to the next repeat if the store loses the result of its claim', async () => {
    const { engine } = createStore('ins_gone', ['after'])
    const deliveries = createDeliveries({ engine, lease, clock: () => 0, onFault: () => {} })
    await expect(deliveries.findLost(repeated)).rejects.toThrow('lost during the commit')
    await deliveries.written()
    expect(await deliveries.findLost(repeated)).toEqual({ chargeId: 'chg_1', idempotencyKey: 'req_1' })
  })

  test('a repeat finds a lost response that is known here, although the store could not record it yet', async () => {
    const { engine } = createStore('ins_here', ['before'])
    const deliveries = createDeliveries({ engine, lease, clock: () => 0, onFault: () => {} })
    const call = { watchDelivery: (report: (isDelivered: boolean) => void) => report(false) } as unknown as Call
    deliveries.watch(call, repeated, null).charged('chg_1')
    expect(await deliveries.findLost(repeated)).toEqual({ chargeId: 'chg_1', idempotencyKey: 'req_1' })
    await deliveries.close()
  })

  test('a repeat waits for a call that has lost its client but is not charged yet', async () => {
    const { engine } = createStore('ins_here', [])
    const deliveries = createDeliveries({ engine, lease, clock: () => 0, onFault: () => {} })
    let leave = () => {}
    const call = {
      watchDelivery: (report: (isDelivered: boolean) => void) => {
        leave = () => report(false)
      },
    } as unknown as Call
    const earlier = deliveries.watch(call, repeated, null)
    const finding = deliveries.findLost(repeated)
    // It is noticed only now, as if the store and the process had been stopped for a while.
    leave()
    const others = await deliveries.findLost({ ...repeated, request: { another: true } })
    expect(others).toBeNull()
    earlier.charged('chg_1')
    expect(await finding).toEqual({ chargeId: 'chg_1', idempotencyKey: 'req_1' })
    await deliveries.close()
  })

  test('a repeat whose gateway was stopped while it looked looks again', async () => {
    const { engine, row } = createStore('ins_other', [])
    let stoppedMs = 0
    useClock({ ...systemClock, monotonicMs: () => systemClock.monotonicMs() + stoppedMs })
    onTestFinished(() => useClock(systemClock))
    const { read } = engine
    engine.read = async (work) => {
      const rows = await read(work)
      stoppedMs += 70_000
      row.isLost = 1
      return rows
    }
    const others = { ...lease, liveInstances: async () => ['ins_here', 'ins_other'] }
    const deliveries = createDeliveries({ engine, lease: others, clock: () => 0, onFault: () => {} })
    expect(await deliveries.findLost(repeated)).toEqual({ chargeId: 'chg_1', idempotencyKey: 'req_1' })
  })

  test('a repeat that fails, too, is found by the next one, and its error that arrives later marks nothing', async () => {
    const { engine, row } = createStore('ins_here', [])
    const deliveries = createDeliveries({ engine, lease, clock: () => 0, onFault: () => {} })
    const deliver: ((isDelivered: boolean) => void)[] = []
    const call = { watchDelivery: (report: (typeof deliver)[0]) => void deliver.push(report) } as unknown as Call
    const lost = { chargeId: 'chg_1', idempotencyKey: 'req_1' }
    for (const joined of [null, lost]) {
      const watched = deliveries.watch(call, repeated, joined)
      watched.charged('chg_1')
      expect(deliveries.isAwaited(repeated)).toBe(false)
      watched.failed()
      watched.ended()
      expect(deliveries.isAwaited(repeated)).toBe(true)
      expect(deliveries.isAwaited({ ...repeated, request: { another: true } })).toBe(false)
      expect(await deliveries.findLost(repeated)).toEqual(lost)
    }
    for (const report of deliver) report(true)
    await deliveries.written()
    expect(row.isLost).toBe(0)
    expect(await deliveries.findLost(repeated)).toBeNull()
    await deliveries.close()
  })
})
