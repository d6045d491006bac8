import { expect, test } from 'vitest'
import { histogram } from '../../src/base/histogram.ts'

const { size, bucketOf, percentile } = histogram([1, 10, 100])

test('a value is in the first bucket whose bound is not below it, or in the last one', () => {
  expect(size).toBe(4)
  expect([0, 1, 1.1, 10, 100, 101].map(bucketOf)).toEqual([0, 0, 1, 1, 2, 3])
})

test('a percentile is the bound of its bucket, at most the highest bound, and null without counts', () => {
  expect(percentile([0, 0, 0, 0], 0.5)).toBeNull()
  expect([0.5, 0.9, 0.91, 1].map((share) => percentile([50, 40, 9, 1], share))).toEqual([1, 10, 100, 100])
})
