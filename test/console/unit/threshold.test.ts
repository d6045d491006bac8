import { expect, test } from 'vitest'
import { lastingOf, stepsWith } from '../../../console/src/pages/alerts/threshold.ts'

test.each([
  [100, 10, { unit: 'days', count: 10 }],
  [10, 10, { unit: 'days', count: 1 }],
  [9, 10, { unit: 'hours', count: 21 }],
  [10, 15_000, { unit: 'lessThanHour' }],
  [100_000, 1, { unit: 'longer' }],
  [100, null, null],
])('%i credits at %s a day last %o', (credits, spent, lasting) => {
  expect(lastingOf(credits, spent)).toEqual(lasting)
})

test('the slider has a step for any saved threshold', () => {
  expect(stepsWith(null)).toEqual(stepsWith(100))
  const steps = stepsWith(137)
  expect(steps.indexOf(137)).toBe(steps.indexOf(100) + 1)
})
