import { expect, test } from 'vitest'
import { isFullMatrix } from '../../../testkit/store/engines.ts'
import { lieNames } from './images.ts'
import { runDisk } from './run-disk.ts'

/** `npm run simulate -- --disk` runs as many seeds as it is given. */
test('after a power cut the gateway serves what was acknowledged, and never what never was', async ({ signal }) => {
  const seeds = isFullMatrix ? 3 : 1
  const { violations, counts } = await runDisk({ from: 0xd15c, seeds, images: 1, steps: 24, signal })
  expect(violations).toEqual([])
  // A recording may lack the moments for a few of them.
  expect(counts.size).toBeGreaterThan(lieNames.length - 4)
})
