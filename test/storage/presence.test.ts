import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { PostgresEngine } from '../../src/storage/postgres/postgres-engine.ts'
import { createPostgresPresence } from '../../src/storage/postgres/presence.ts'
import { createSqlitePresence } from '../../src/storage/sqlite/presence.ts'
import { freshStore } from '../support/engines.ts'

describe('a claim on PostgreSQL', () => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let engine: PostgresEngine

  beforeAll(async () => {
    fresh = await freshStore('postgres')
    engine = fresh.store as PostgresEngine
  })
  afterAll(() => fresh.remove())

  async function claim(instanceId: string) {
    const time = { nowMs: 1000 }
    // Renewed by the test alone.
    const options = { instanceId, leaseMs: 15_000, renewMs: 3_600_000, monotonicMs: () => time.nowMs }
    const presence = createPostgresPresence(engine, options)
    onTestFinished(() => presence.stop())
    return { presence, time }
  }

  /** Stands for time that passes on the server. */
  const runOut = (instanceId: string) =>
    engine.write((tx) => tx.run('UPDATE instances SET lease_until = 0 WHERE instance_id = $1', [instanceId]))

  test('is in force from start to stop, and seen by the others', async () => {
    const [one, two] = [await claim('one'), await claim('two')]
    expect(one.presence.isHeld()).toBe(false)
    await one.presence.start()
    await two.presence.start()
    expect(one.presence.isHeld()).toBe(true)
    expect((await two.presence.liveInstances()).sort()).toEqual(['one', 'two'])
    await one.presence.stop()
    expect(one.presence.isHeld()).toBe(false)
    expect(await two.presence.liveInstances()).toEqual(['two'])
  })

  test('whose lease has run out on the server is not among the live', async () => {
    const [dead, live] = [await claim('dead'), await claim('live')]
    await dead.presence.start()
    await live.presence.start()
    await runOut('dead')
    expect(await live.presence.liveInstances()).toEqual(['live'])
    await dead.presence.renew()
    expect((await live.presence.liveInstances()).sort()).toEqual(['dead', 'live'])
  })

  test('counts as lost as soon as no renewal has succeeded for the length of the lease', async () => {
    const { presence, time } = await claim('late')
    await presence.start()
    time.nowMs += 14_999
    expect(presence.isHeld()).toBe(true)
    time.nowMs += 1
    expect(presence.isHeld()).toBe(false)
    await presence.renew()
    expect(presence.isHeld()).toBe(true)
  })

  test('that had run out judges no other instance until those had the time of a lease to come back', async () => {
    const { presence, time } = await claim('paused')
    await presence.start()
    expect(presence.canJudgeOthers()).toBe(true)
    time.nowMs += 14_999
    await presence.renew()
    expect(presence.canJudgeOthers()).toBe(true)
    time.nowMs += 31_000
    expect(presence.canJudgeOthers()).toBe(false)
    await presence.renew()
    expect(presence.canJudgeOthers()).toBe(false)
    time.nowMs += 14_000
    await presence.renew()
    expect(presence.canJudgeOthers()).toBe(false)
    time.nowMs += 1000
    expect(presence.canJudgeOthers()).toBe(true)
  })

  test('is not prolonged by a renewal that fails', async () => {
    const { presence, time } = await claim('refused')
    await presence.start()
    await engine.write((tx) => tx.run('ALTER TABLE instances RENAME TO hidden'))
    await expect(presence.renew()).rejects.toThrow()
    await engine.write((tx) => tx.run('ALTER TABLE hidden RENAME TO instances'))
    time.nowMs += 15_000
    expect(presence.isHeld()).toBe(false)
  })

  test('is renewed by itself', async () => {
    const time = { nowMs: 0 }
    const presence = createPostgresPresence(engine, {
      instanceId: 'steady',
      leaseMs: 15_000,
      renewMs: 10,
      monotonicMs: () => time.nowMs,
    })
    onTestFinished(() => presence.stop())
    await presence.start()
    time.nowMs = 15_000
    expect(presence.isHeld()).toBe(false)
    await expect.poll(() => presence.isHeld(), { timeout: 20_000 }).toBe(true)
  })
})

test('the only gateway on an embedded store takes every other instance for dead', async () => {
  const presence = createSqlitePresence('this')
  expect(presence.isHeld()).toBe(false)
  await presence.start()
  expect(presence.isHeld()).toBe(true)
  expect(await presence.liveInstances()).toEqual(['this'])
  await presence.stop()
  expect(presence.isHeld()).toBe(false)
})
