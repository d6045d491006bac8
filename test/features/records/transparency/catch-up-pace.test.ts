import { expect, test } from 'vitest'
import { createCatchUpPace } from '../../../../src/features/records/transparency/catch-up-pace.ts'

/** A tree whose steps take 20 ms, while `perMs` entries arrive. */
function catchUp(perMs: (now: number) => number, steps: number) {
  let now = 0
  let newest = 1_000_000
  const pass = (ms: number) => {
    newest += ms * perMs(now)
    now += ms
  }
  const pace = createCatchUpPace(() => now)
  const made = Array.from({ length: steps }, () => {
    pace.begin()
    const leaves = pace.limitOf(4096)
    pace.found(newest)
    pass(20)
    const restMs = pace.restMs()
    pass(restMs)
    return { leaves, restMs }
  })
  return { made, pace }
}

test('a tree that catches up while nothing is called takes half of the time, in large steps', () => {
  const { made } = catchUp(() => 0, 5)
  expect(made).toEqual(Array.from({ length: 5 }, () => ({ leaves: 4096, restMs: 20 })))
})

test('a tree that catches up while calls are made takes small steps, and a twentieth of the time', () => {
  const { made } = catchUp(() => 0.5, 5)
  expect(made.slice(2)).toEqual(Array.from({ length: 3 }, () => ({ leaves: 1024, restMs: 380 })))
})

test('a tree that catches up grows twice as fast as the ledger, whatever arrives', () => {
  const { made } = catchUp(() => 5, 5)
  // 1024 leaves in 102.4 ms, of which the step takes 20.
  expect(made.slice(2)).toEqual(Array.from({ length: 3 }, () => ({ leaves: 1024, restMs: 83 })))
  expect(catchUp(() => 500, 5).made.at(-1)).toEqual({ leaves: 1024, restMs: 20 })
})

test('a tree that has caught up, or is no longer called, takes large steps again', () => {
  const { made } = catchUp((now) => (now < 1000 ? 1 : 0), 20)
  expect(made.at(-1)).toEqual({ leaves: 4096, restMs: 20 })
  const { pace } = catchUp(() => 1, 5)
  expect(pace.limitOf(4096)).toBe(1024)
  pace.caughtUp()
  expect(pace.limitOf(4096)).toBe(4096)
})
