import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createSharedLease } from '../../src/storage/postgres/lease.ts'
import type { PostgresEngine } from '../../src/storage/postgres/postgres-engine.ts'
import { createSqliteLease } from '../../src/storage/sqlite/sqlite-engine.ts'
import { freshStore } from '../../testkit/store/engines.ts'

describe('a lease on PostgreSQL', () => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let engine: PostgresEngine

  beforeAll(async () => {
    fresh = await freshStore('postgres')
    engine = fresh.store as PostgresEngine
  })
  afterAll(() => fresh.remove())

  async function claim(instanceId: string) {
    const time = { nowMs: 1000 }
    // Only the test renews it.
    const options = { instanceId, leaseMs: 15_000, renewMs: 3_600_000, monotonicMs: () => time.nowMs }
    const lease = createSharedLease(engine, options)
    onTestFinished(() => lease.stop())
    return { lease, time }
  }

  /** Stands for time that passes on the server. */
  const runOut = (instanceId: string) =>
    engine.write((tx) => tx.run('UPDATE instances SET lease_until = 0 WHERE instance_id = $1', [instanceId]))

  test('a lease on PostgreSQL is held from start to stop, and visible to others', async () => {
    const [one, two] = [await claim('one'), await claim('two')]
    expect(one.lease.isHeld()).toBe(false)
    await one.lease.start()
    await two.lease.start()
    expect(one.lease.isHeld()).toBe(true)
    expect((await two.lease.liveInstances()).sort()).toEqual(['one', 'two'])
    await one.lease.stop()
    expect(one.lease.isHeld()).toBe(false)
    expect(await two.lease.liveInstances()).toEqual(['two'])
  })

  test('a lease on PostgreSQL that has expired on the server is not listed as live', async () => {
    const [dead, live] = [await claim('dead'), await claim('live')]
    await dead.lease.start()
    await live.lease.start()
    await runOut('dead')
    expect(await live.lease.liveInstances()).toEqual(['live'])
    await dead.lease.renew()
    expect((await live.lease.liveInstances()).sort()).toEqual(['dead', 'live'])
  })

  test('a lease on PostgreSQL counts as lost once no renewal has succeeded for its whole length', async () => {
    const { lease, time } = await claim('late')
    await lease.start()
    time.nowMs += 14_999
    expect(lease.isHeld()).toBe(true)
    time.nowMs += 1
    expect(lease.isHeld()).toBe(false)
    await lease.renew()
    expect(lease.isHeld()).toBe(true)
  })

  test('a lease on PostgreSQL that had expired judges no other instance until the others had the length of a lease to renew theirs', async () => {
    const { lease, time } = await claim('paused')
    await lease.start()
    time.nowMs += 14_000
    await lease.renew()
    time.nowMs += 1000
    expect(lease.canRecoverOthers()).toBe(true)
    time.nowMs += 31_000
    expect(lease.canRecoverOthers()).toBe(false)
    await lease.renew()
    expect(lease.canRecoverOthers()).toBe(false)
    time.nowMs += 14_000
    await lease.renew()
    expect(lease.canRecoverOthers()).toBe(false)
    time.nowMs += 1000
    expect(lease.canRecoverOthers()).toBe(true)
  })

  test('a lease on PostgreSQL that is new judges no other instance before it was held for its whole length', async () => {
    const { lease, time } = await claim('new')
    expect(lease.canRecoverOthers()).toBe(false)
    await lease.start()
    expect(lease.canRecoverOthers()).toBe(false)
    time.nowMs += 14_000
    await lease.renew()
    time.nowMs += 999
    expect(lease.canRecoverOthers()).toBe(false)
    time.nowMs += 1
    expect(lease.canRecoverOthers()).toBe(true)
  })

  test('a lease on PostgreSQL is not extended by a failed renewal', async () => {
    const { lease, time } = await claim('refused')
    await lease.start()
    await engine.write((tx) => tx.run('ALTER TABLE instances RENAME TO hidden'))
    await expect(lease.renew()).rejects.toThrow()
    await engine.write((tx) => tx.run('ALTER TABLE hidden RENAME TO instances'))
    time.nowMs += 15_000
    expect(lease.isHeld()).toBe(false)
  })

  test('a lease on PostgreSQL counts from before its request, however late the response is', async () => {
    const time = { nowMs: 0 }
    const slow = {
      kind: engine.kind,
      logger: engine.logger,
      withOwnPool(options: Parameters<PostgresEngine['withOwnPool']>[0]) {
        const own = engine.withOwnPool(options)
        const write: typeof own.write = async (work) => {
          const result = await own.write(work)
          time.nowMs += 6000
          return result
        }
        return Object.assign(Object.create(own), { write, close: () => own.close() })
      },
    }
    const options = { instanceId: 'answered late', leaseMs: 15_000, renewMs: 3_600_000, monotonicMs: () => time.nowMs }
    const lease = createSharedLease(slow as unknown as PostgresEngine, options)
    onTestFinished(() => lease.stop())
    await lease.start()
    const sentAt = time.nowMs
    await lease.renew()
    time.nowMs = sentAt + 14_999
    expect(lease.isHeld()).toBe(true)
    time.nowMs = sentAt + 15_000
    expect(lease.isHeld()).toBe(false)
  })

  test('a lease on PostgreSQL is renewed automatically', async () => {
    const time = { nowMs: 0 }
    const lease = createSharedLease(engine, {
      instanceId: 'steady',
      leaseMs: 15_000,
      renewMs: 10,
      monotonicMs: () => time.nowMs,
    })
    onTestFinished(() => lease.stop())
    await lease.start()
    time.nowMs = 15_000
    expect(lease.isHeld()).toBe(false)
    await expect.poll(() => lease.isHeld(), { timeout: 20_000 }).toBe(true)
  })
})

test('the only gateway on a SQLite store treats every other instance as dead', async () => {
  const lease = createSqliteLease('this')
  expect(lease.isHeld()).toBe(false)
  await lease.start()
  expect(lease.isHeld()).toBe(true)
  expect(await lease.liveInstances()).toEqual(['this'])
  await lease.stop()
  expect(lease.isHeld()).toBe(false)
})
