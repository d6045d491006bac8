import { describe, expect, test } from 'vitest'
import { createActivity } from '../../../src/features/operators/overview/activity.ts'
import { confirmed, failureOf } from '../../../src/providers/outcome.ts'
import { byOutcome, createProviderWatch } from '../../../src/providers/provider-watch.ts'

const minuteMs = 60_000

describe('the activity of an instance', () => {
  test('the activity of an instance counts calls, errors and credits by minute, operation and code', () => {
    let now = 1_000 * minuteMs
    const activity = createActivity(() => now)
    const call = (code: string | null, durationMs = 1) =>
      activity.observe({ operationId: 'model.chat', status: 200, code, durationMs })
    call(null)
    activity.settled({ operation: 'model.chat', credits: 3 })
    activity.observe({ operationId: 'account.get', status: 200, code: null, durationMs: 1 })
    activity.observe({ operationId: 'media.jobs.create', status: 200, code: null, durationMs: 1 })
    activity.observe({ operationId: 'media.jobs.read', status: 200, code: null, durationMs: 1 })
    now += minuteMs
    call('INVALID_PROMPT')
    call('PROVIDER_DISABLED')
    call('PROVIDER_UNAVAILABLE')
    activity.settled({ operation: 'media.video', credits: 80 })
    const { minutes, operations, codes } = activity.now()
    expect(minutes).toMatchObject([
      { calls: 2, failed: 0, credits: 3 },
      { calls: 3, failed: 1, rejected: 2, credits: 80 },
    ])
    expect(operations).toMatchObject([
      { operation: 'model.chat', calls: 4, failed: 1, rejected: 2, credits: 3 },
      { operation: 'media.video', calls: 1, failed: 0, credits: 80 },
    ])
    expect(codes.map(({ code }) => code)).toEqual(['INVALID_PROMPT', 'PROVIDER_DISABLED', 'PROVIDER_UNAVAILABLE'])
  })

  test('the activity of an instance sums the last 15 minutes and remembers an hour, and survives a clock that is set back', () => {
    let now = 1_000 * minuteMs
    const activity = createActivity(() => now)
    activity.observe({ operationId: 'model.chat', status: 200, code: null, durationMs: 1 })
    now += 15 * minuteMs
    expect(activity.now()).toMatchObject({ operations: [], latency: null })
    expect(activity.now().minutes).toHaveLength(16)
    now += 600 * minuteMs
    activity.observe({ operationId: 'model.chat', status: 200, code: null, durationMs: 1 })
    expect(activity.now().minutes).toHaveLength(60)
    expect(activity.now().minutes.filter(({ calls }) => calls > 0)).toHaveLength(1)
    now -= 300 * minuteMs
    activity.observe({ operationId: 'model.chat', status: 200, code: null, durationMs: 1 })
    expect(activity.now().operations).toMatchObject([{ calls: 1 }])
  })

  test('the activity of an instance states percentiles within a tenth', () => {
    const activity = createActivity(() => 0)
    for (let ms = 1; ms <= 1000; ms += 1)
      activity.observe({ operationId: 'model.chat', status: 200, code: null, durationMs: ms })
    const { p50Ms, p95Ms, p99Ms } = activity.now().latency!
    for (const [found, right] of [
      [p50Ms, 500],
      [p95Ms, 950],
      [p99Ms, 990],
    ] as const) {
      expect(Math.abs(found - right) / right).toBeLessThan(0.11)
    }
  })
})

describe('the watch of a provider', () => {
  test('the watch of a provider counts outcomes of the last 15 minutes and the calls that wait', async () => {
    let now = 0
    const watch = createProviderWatch(() => now)
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = watch.watched(byOutcome('model'), async () => {
      await promise
      return confirmed('answer')
    })()
    expect(watch.underWay).toBe(1)
    resolve()
    await waiting
    expect(watch.underWay).toBe(0)
    now += 10 * minuteMs
    await watch.watched(byOutcome('model'), async () => failureOf('model', 'rateLimited'))()
    expect(watch.recent()).toEqual({
      kinds: { confirmed: 1, refused: 0, unavailable: 1, uncertain: 0 },
      failed: 1,
      codes: new Map([['PROVIDER_RATE_LIMITED', 1]]),
    })
    now += 5 * minuteMs
    expect(watch.recent().kinds).toMatchObject({ confirmed: 0, unavailable: 1 })
  })
})
