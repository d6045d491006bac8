import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { FifoBatchQueue } from '../../src/ledger/batch-queue.ts'
import type { CommandResult, End } from '../../src/ledger/commands.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import { createHealth } from '../../src/ops/health.ts'
import { createMetrics } from '../../src/ops/metrics.ts'

const createQueue = () => new FifoBatchQueue({ fullBatch: 16, maxConcurrentBatches: 2 })
const noFailures = { failures: () => 0, isFailing: () => false, checked: () => {}, hasCommittedLately: () => false }

describe('readiness', () => {
  test('readiness is lost while commits fail, although the store responds', async () => {
    let areFailing = true
    const health = createHealth({
      checkStore: async () => {},
      checkDescriptors: async () => {},
      isLeaseHeld: () => true,
      isRecovered: () => true,
      commits: { ...noFailures, isFailing: () => areFailing },
    })
    expect(await health.problems()).toEqual(['the last commits failed'])
    areFailing = false
    expect(await health.problems()).toEqual([])
  })

  test('readiness is lost with commits that fail, until a check that needs room succeeds: a small write proves nothing', async () => {
    let hasRoom = false
    const asked: boolean[] = []
    const apply = async (): Promise<CommandResult[]> => {
      throw new Error('the disk is full')
    }
    const ledger = createLedger({ store: { apply, createQueue, isUnavailable: () => true } })
    const health = createHealth({
      checkStore: async ({ needsRoom }) => {
        asked.push(needsRoom)
        if (needsRoom && !hasRoom) throw new Error('the disk is full')
      },
      checkDescriptors: async () => {},
      isLeaseHeld: () => true,
      isRecovered: () => true,
      commits: ledger,
    })
    expect(await health.problems()).toEqual([])
    for (let time = 0; time < 3; time += 1) await ledger.end({ type: 'end' } as End).catch(() => {})
    for (let time = 0; time < 3; time += 1) expect(await health.problems()).toEqual(['the store cannot be written to'])
    hasRoom = true
    expect(await health.problems()).toEqual([])
    expect(await health.problems()).toEqual([])
    expect(asked).toEqual([false, true, true, true, true, false])
  })

  test('readiness lost with a check that failed comes back with one that needs room', async () => {
    let room = 'none'
    const health = createHealth({
      checkStore: async ({ needsRoom }) => {
        if (room === 'none' || (room === 'little' && needsRoom)) throw new Error('the disk is full')
      },
      checkDescriptors: async () => {},
      isLeaseHeld: () => true,
      isRecovered: () => true,
    })
    expect(await health.problems()).toEqual(['the store cannot be written to'])
    room = 'little'
    expect(await health.problems()).toEqual(['the store cannot be written to'])
    room = 'plenty'
    expect(await health.problems()).toEqual([])
  })

  test('readiness survives a store that is busy, and is lost with one that does not respond', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let isCommitting = true
    const health = createHealth({
      checkStore: () => new Promise(() => {}),
      checkDescriptors: async () => {},
      isLeaseHeld: () => true,
      isRecovered: () => true,
      commits: { ...noFailures, hasCommittedLately: () => isCommitting },
    })
    const problems = async () => {
      const found = health.problems()
      await vi.advanceTimersByTimeAsync(2000)
      return found
    }
    expect(await problems()).toEqual([])
    isCommitting = false
    expect(await problems()).toEqual(['the store does not respond'])
  })
})

describe('the metrics', () => {
  test('the metrics are all served except the one that cannot be read', async () => {
    const metrics = createMetrics()
    metrics.gauge('first', 'Read from a store that is away.', () => Promise.reject(new Error('away')))
    metrics.gauge('second', 'Read from memory.', () => 2)
    const text = await metrics.text()
    expect(text).toContain('first Nan\n')
    expect(text).toContain('second 2\n')
  })

  test('the metrics count a stream by the time to its first part', async () => {
    const metrics = createMetrics()
    const request = { operationId: 'openai.completions', status: 200, code: null, durationMs: 60_000 }
    metrics.observeRequest({ ...request, begunMs: 20 })
    expect(await metrics.text()).toContain(
      'gateway_request_duration_seconds_sum{operation="openai.completions"} 0.02\n',
    )
    metrics.observeRequest(request)
    expect(await metrics.text()).toContain(
      'gateway_request_duration_seconds_sum{operation="openai.completions"} 60.02\n',
    )
  })
})
