import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { billableOperations } from '../../../../src/contract/prices.ts'
import { createActivity } from '../../../../src/features/operators/overview/activity.ts'
import { createBoard } from '../../../../src/features/operators/status/board.ts'
import {
  createFiguresWriter,
  fewestCalls,
  inTwoDigits,
  readFigures,
} from '../../../../src/features/operators/status/figures.ts'
import type { Engine } from '../../../../src/storage/engine.ts'
import { engines, freshStore } from '../../../../testkit/store/engines.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

describe.each(engines)('the figures of the status page on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let now: number
  const clock = () => now
  beforeEach(async () => {
    now = 20_000 * dayMs + 30_000
    fresh = await freshStore(engine)
  })
  afterEach(() => fresh.remove())

  /** An instance, and what it is asked. */
  function instance(engine: Pick<Engine, 'write' | 'script'> = fresh.store) {
    const activity = createActivity(clock)
    const { store } = createFiguresWriter({ engine, activity, clock })
    const calls = (
      count: number,
      {
        operationId = 'model.chat',
        status = 200,
        code = null as string | null,
        ms = 100,
        ...more
      }: Partial<Parameters<typeof activity.observe>[0]> & { readonly ms?: number } = {},
    ) => {
      for (let i = 0; i < count; i += 1) activity.observe({ operationId, status, code, durationMs: ms, ...more })
    }
    return { calls, store }
  }

  async function figures(operation = 'model.chat') {
    const all = await fresh.store.read((tx) => readFigures(tx, now))
    expect(all.map((row) => row.operation)).toEqual(billableOperations)
    return all.find((row) => row.operation === operation)!
  }

  test('the figures count what failed, is uncertain or out of service, and leave out what was refused or replayed', async () => {
    const { calls, store } = instance()
    calls(92)
    calls(2, { status: 503, code: 'PROVIDER_UNAVAILABLE', ms: 9000 })
    calls(1, { status: 503, code: 'PROVIDER_DISABLED' })
    calls(1, { status: 202, ms: 9000 })
    calls(4, { operationId: 'openai.completions', ms: 2000 })
    calls(500, { status: 402, code: 'INSUFFICIENT_PAID_CREDITS', ms: 1 })
    calls(500, { status: 502, code: 'PROVIDER_REQUEST_REJECTED', isRejection: true })
    calls(500, { status: 503, code: 'PROVIDER_UNAVAILABLE', isReplay: true })
    calls(500, { status: 202, isReplay: true })
    calls(500, { isReplay: true, ms: 1 })
    await store()
    expect((await figures()).lastHour).toBeNull()
    now += minuteMs
    await store()
    await store()
    const { lastHour, lastDay, last90Days } = await figures()
    expect(lastHour).toEqual({ successPercent: 96, p50Ms: 110, p95Ms: 110 })
    expect([lastDay, last90Days]).toEqual([lastHour, lastHour])
    expect(await figures('pick.search')).toEqual({
      ...{ operation: 'pick.search', lastHour: null, lastDay: null, last90Days: null },
    })
  })

  test('the figures of fewer than 20 calls are not shown, and 100 percent means all calls', async () => {
    const { calls, store } = instance()
    calls(fewestCalls - 1)
    calls(9999, { operationId: 'pick.search' })
    calls(1, { operationId: 'pick.search', status: 500, code: 'INTERNAL_ERROR' })
    await store({ isLast: true })
    expect((await figures()).lastHour).toBeNull()
    expect((await figures('pick.search')).lastHour).toMatchObject({ successPercent: 99.9 })
    calls(1)
    now += minuteMs
    await store()
    // What the last minute held was stored before it was over, and is not stored twice.
    expect((await figures()).lastHour).toBeNull()
  })

  test('the figures of several instances add up, and each period forgets', async () => {
    const [one, other] = [instance(), instance()]
    for (const { calls } of [one, other]) {
      calls(5, { ms: 50 })
      calls(5, { status: 500, code: 'INTERNAL_ERROR' })
    }
    now += minuteMs
    await Promise.all([one.store(), other.store()])
    const half = { successPercent: 50, p50Ms: 54, p95Ms: 54 }
    expect(await figures()).toMatchObject({ lastHour: half, lastDay: half, last90Days: half })
    now += 2 * hourMs
    expect(await figures()).toMatchObject({ lastHour: null, lastDay: half, last90Days: half })
    now += 2 * dayMs
    expect(await figures()).toMatchObject({ lastHour: null, lastDay: null, last90Days: half })
    now += 95 * dayMs
    one.calls(1)
    now += minuteMs
    await one.store()
    const left = await fresh.store.read((tx) =>
      tx.all('SELECT DISTINCT starts_at FROM operation_calls WHERE starts_at < $1', [now - 94 * dayMs]),
    )
    expect(left).toEqual([])
  })

  test('the figures that could not be stored are stored the next time, and counting goes on after a clock was set back', async () => {
    let isAway = true
    const write: typeof fresh.store.write = (work) =>
      isAway ? Promise.reject(new Error('away')) : fresh.store.write(work)
    const { calls, store } = instance({ write })
    calls(30)
    now += minuteMs
    await expect(store()).rejects.toThrow('away')
    isAway = false
    await store()
    expect((await figures()).lastHour).toMatchObject({ successPercent: 100 })
    now -= 30 * minuteMs
    await store()
    calls(30, { status: 500, code: 'INTERNAL_ERROR' })
    now += minuteMs
    await store()
    expect((await figures()).lastHour).toMatchObject({ successPercent: 50 })
  })

  test('the board is read once for many readers, and keeps the last figures while the store is away', async () => {
    let reads = 0
    let isAway = true
    const read: typeof fresh.store.read = (work) => {
      reads += 1
      return isAway ? Promise.reject(new Error('away')) : fresh.store.read(work)
    }
    const board = createBoard({ engine: { read }, clock })
    expect(await board.current()).toMatchObject({ updatedAt: null, incidents: [] })
    isAway = false
    reads = 0
    const seen = await Promise.all(Array.from({ length: 50 }, () => board.current()))
    expect(new Set(seen).size).toBe(1)
    expect(reads).toBe(1)
    now += 10 * minuteMs
    isAway = true
    await expect(board.refresh()).rejects.toThrow('away')
    expect(await board.current()).toBe(seen[0])
    isAway = false
    board.expire()
    expect((await board.current()).updatedAt).toBe(new Date(now).toISOString())
  })
})

test.each([
  [0.5, 1],
  [1.2, 2],
  [99.1, 100],
  [101, 110],
  [1234, 1300],
  [59_700, 60_000],
])('%d ms is shown as %d ms', (ms, shown) => {
  expect(inTwoDigits(ms)).toBe(shown)
})
