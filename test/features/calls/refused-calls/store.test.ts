import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSortableId } from '../../../../src/base/ids.ts'
import { dayMs, hourMs } from '../../../../src/base/time.ts'
import {
  createRefusalTally,
  type RefusalBatch,
  refusalWriter,
} from '../../../../src/features/calls/refused-calls/refusal-tally.ts'
import { createRefusalStore } from '../../../../src/features/calls/refused-calls/store.ts'
import { TestClock } from '../../../../testkit/gateway/gateway.ts'
import { engines, freshStore } from '../../../../testkit/store/engines.ts'

const clock = new TestClock()
const projectId = 'prj_1'

function refused(keyId: string, code = 'FORBIDDEN') {
  clock.now += 1
  return { projectId, keyId, requestId: newSortableId('req', clock.now), operation: 'model.chat', code }
}

describe.each(engines)('the store of refused calls on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let store: ReturnType<typeof createRefusalStore>
  beforeAll(async () => {
    fresh = await freshStore(engine)
    store = createRefusalStore(fresh.store, clock.read)
  })
  afterAll(() => fresh.remove())

  const flood = (keyId: string, calls: number) => {
    const tally = createRefusalTally(clock.read)
    for (let sent = 0; sent < calls; sent += 1) tally.add(refused(keyId))
    return tally.take()!
  }

  test('instances add to the same counts, and a key keeps its last hundred calls', async () => {
    const batches = [flood('key_1', 150), flood('key_1', 60), flood('key_2', 5)]
    await Promise.all(batches.map((batch) => store.write(batch)))
    const seen = await store.read(projectId, { limit: 100 })
    expect(seen.hours).toEqual([{ hour: expect.any(String), code: 'FORBIDDEN', count: 215 }])
    const { items, nextAfter } = await store.read(projectId, { limit: 100, keyId: 'key_1' })
    expect({ listed: items.length, nextAfter }).toEqual({ listed: 100, nextAfter: null })
    expect(items.map(({ requestId }) => requestId)).toEqual(
      batches
        .flatMap(({ calls }) => calls)
        .filter(({ keyId }) => keyId === 'key_1')
        .map(({ requestId }) => requestId)
        .sort()
        .reverse()
        .slice(0, 100),
    )
  })

  test('maintenance removes calls after a day and counts after seven', async () => {
    clock.now += dayMs + 1
    expect(await store.pruneCalls(1000)).toBe(105)
    expect(await store.pruneCounts(1000)).toBe(0)
    expect(await store.read(projectId, { limit: 100 })).toMatchObject({ items: [], hours: { length: 1 } })
    clock.now += 6 * dayMs + 2 * hourMs
    expect(await store.read(projectId, { limit: 100 })).toMatchObject({ items: [], hours: [] })
    expect(await store.pruneCounts(1000)).toBe(2)
  })
})

test('a flood of refusals over many keys stays within its bounds, and says what it left out', () => {
  const tally = createRefusalTally(clock.read)
  for (let key = 0; key < 5000; key += 1) tally.add(refused(`key_${key}`))
  const batch = tally.take()!
  expect({ counts: batch.counts.length, calls: batch.calls.length, dropped: tally.dropped() }).toEqual({
    counts: 1000,
    calls: 500,
    dropped: 4000,
  })
  expect(tally.take()).toBeNull()
})

test('a flood of refusals of one project hides no other, and the newest stay listed', () => {
  const tally = createRefusalTally(clock.read)
  const of = (project: string, keyId: string) => ({ ...refused(keyId), projectId: project })
  for (let sent = 0; sent < 5000; sent += 1) tally.add(of('prj_flood', `key_${sent % 1000}`))
  const quiet = Array.from({ length: 40 }, (_, project) => of(`prj_${project}`, `key_of_${project}`))
  for (const call of quiet) tally.add(call)
  for (let sent = 0; sent < 5000; sent += 1) tally.add(of('prj_flood', `key_${sent}`))
  const last = of('prj_flood', 'key_last')
  tally.add(last)
  const { counts, calls } = tally.take()!
  expect([counts.length, calls.length]).toEqual([1000, 500])
  expect(calls.filter(({ projectId: of }) => of !== 'prj_flood')).toEqual(quiet)
  expect(counts.filter(({ projectId: of }) => of !== 'prj_flood').map(({ keyId, calls }) => [keyId, calls])).toEqual(
    quiet.map(({ keyId }) => [keyId, 1]),
  )
  expect(calls).toContainEqual(last)
  expect(counts.reduce((sum, { calls }) => sum + calls, 0) + tally.dropped()).toBe(10_041)
})

test('refusals of two projects that flood at once have equal shares, and of more projects than the bound some are left out', () => {
  const tally = createRefusalTally(clock.read)
  const of = (project: string, key: number) => ({ ...refused(`key_${project}_${key}`), projectId: project })
  for (let sent = 0; sent < 900; sent += 1) tally.add(of('prj_a', sent))
  for (let sent = 0; sent < 900; sent += 1) tally.add(of('prj_b', sent))
  const { counts, calls } = tally.take()!
  for (const some of [counts, calls])
    expect(some.filter(({ projectId: of }) => of === 'prj_a')).toHaveLength(some.length / 2)
  for (let project = 0; project < 3000; project += 1) tally.add(of(`prj_${project}`, 0))
  const many = tally.take()!
  expect([many.counts.length, many.calls.length]).toEqual([1000, 500])
})

test('a batch that the store did not take is written by the next attempt', async () => {
  const tally = createRefusalTally(clock.read)
  const written: RefusalBatch[] = []
  let isDown = true
  const write = refusalWriter(tally, async (batch) => {
    if (isDown) throw new Error('the store is down')
    written.push(batch)
  })
  tally.add(refused('key_1'))
  await expect(write()).rejects.toThrow('the store is down')
  tally.add(refused('key_2'))
  isDown = false
  for (let attempt = 0; attempt < 3; attempt += 1) await write()
  expect(written.map(({ counts }) => counts.map(({ keyId, calls }) => [keyId, calls]))).toEqual([
    [['key_1', 1]],
    [['key_2', 1]],
  ])
})
