import { expect, test } from 'vitest'
import { giveUpMs, holdMs, nextAttempt } from '../../../../src/features/notifications/webhooks/worker.ts'

const firstAttemptAt = 1_000_000
const minuteMs = 60_000

/** When the attempts are made if all fail, in minutes after the first, and which of them hold back what follows. */
function attemptsWith(random: number) {
  const times: number[] = []
  const holding: boolean[] = []
  let now = firstAttemptAt
  for (let attempts = 1; ; attempts++) {
    times.push((now - firstAttemptAt) / minuteMs)
    const next = nextAttempt({ attempts, firstAttemptAt, now, random })
    if (next.kind === 'giveUp') return { times, holding }
    holding.push(next.isHolding)
    now = next.at
  }
}

test('a failing event is retried for exactly three days, at growing intervals of at most 4 hours', () => {
  const { times } = attemptsWith(0.5)
  expect(times.slice(0, 11).map((time) => Math.round(time * 10) / 10)).toEqual([
    0, 0.1, 0.5, 2, 5, 10, 30, 60, 120, 240, 480,
  ])
  expect(times.at(-1)).toBe(giveUpMs / minuteMs)
  const waits = times.slice(1).map((time, index) => time - times[index]!)
  expect(Math.max(...waits)).toBeLessThanOrEqual(240)
})

test('chance shifts each wait by at most a fifth', () => {
  const [early, late] = [attemptsWith(0), attemptsWith(1)]
  expect([early.times[1]! * 60, late.times[1]! * 60]).toEqual([4, 6])
  for (const { times } of [early, late]) expect(times.at(-1)).toBe(giveUpMs / minuteMs)
})

test('a failing event holds back those after it for ten minutes', () => {
  const { times, holding } = attemptsWith(0.5)
  for (const [index, isHolding] of holding.entries()) expect(isHolding).toBe(times[index]! < holdMs / minuteMs)
  expect(holding.filter(Boolean)).toHaveLength(5)
})
