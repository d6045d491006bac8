import { expect, test } from 'vitest'
import { lastingOf, stepsWith } from '../../../console/src/pages/alerts/threshold.ts'

test.each([
  [100, 70, { unit: 'days', count: 10 }],
  [10, 70, { unit: 'days', count: 1 }],
  [9, 70, { unit: 'hours', count: 21 }],
  [10, 100_000, { unit: 'lessThanHour' }],
  [100_000, 7, { unit: 'longer' }],
  [100, 0, null],
])('%i credits at %i in 7 days last %o', (credits, spent, lasting) => {
  expect(lastingOf(credits, spent)).toEqual(lasting)
})

test('the slider has a step for any saved threshold', () => {
  expect(stepsWith(null)).toEqual(stepsWith(100))
  const steps = stepsWith(137)
  expect(steps.indexOf(137)).toBe(steps.indexOf(100) + 1)
})
