import { expect, test } from 'vitest'
import { Prng } from './prng.ts'
import { findRises, isLikelyFromTheStart, type Share, TimeIsUp } from './rises.ts'

const steps = 1000
const tries = 8
const searches = 40

type Probability = (step: number) => number

/** Worlds that fail with the probability of the step from which on they are changed. */
function worlds(probability: Probability, seed = 1) {
  let runs = 0
  const share: Share = async (step, round) => {
    const random = new Prng(seed, 100_000 * round + step)
    runs += tries
    return Array.from({ length: tries }, () => random.chance(probability(step))).filter(Boolean).length / tries
  }
  return { share, runs: () => runs }
}

/** How often each step is found in many searches, and the most worlds that one of them took. */
async function found(probability: Probability) {
  const times: Record<number, number> = {}
  let most = 0
  for (let seed = 1; seed <= searches; seed += 1) {
    const { share, runs } = worlds(probability, seed)
    for (const { low } of (await findRises(steps, share)).rises) times[low.step] = (times[low.step] ?? 0) + 1
    most = Math.max(most, runs())
  }
  return { times, most }
}

/** The steps in `expected` at least so often, and others seldom. */
async function expectFound(probability: Probability, expected: Record<number, number>) {
  const { times, most } = await found(probability)
  const others = Object.entries(times).filter(([step]) => !(step in expected))
  expect(
    others.reduce((sum, [, count]) => sum + count, 0),
    JSON.stringify(times),
  ).toBeLessThanOrEqual(2)
  for (const [step, least] of Object.entries(expected))
    expect(times[Number(step)] ?? 0, `${step} of ${JSON.stringify(times)}`).toBeGreaterThanOrEqual(least)
  expect(most).toBeLessThan(1000)
}

test.each([1, 38, 437, 876, 1000])('the step that makes the failure likely is found: %i', async (step) => {
  await expectFound((from) => (from <= step ? 0.1 : 0.95), { [step]: 38 })
})

test('of two steps that a failure needs, with a likely way out in between, each is found', async () => {
  // As of a call that times out, at 300, and is repeated in spite of a fault at 650.
  const probability = (step: number) => (step <= 300 ? 0.05 : step <= 500 ? 0.6 : step <= 650 ? 0.3 : 1)
  await expectFound(probability, { 300: 32, 650: 38 })
})

test('a second step is found after one that matters more', async () => {
  await expectFound((step) => (step <= 600 ? 0.02 : step <= 900 ? 0.6 : 1), { 600: 32, 900: 32 })
})

test('a step is found although a third of the worlds fail without it', async () => {
  await expectFound((step) => (step <= 430 ? 0.25 : step <= 475 ? 0.42 : 0.92), { 475: 32 })
})

test('a failure that becomes likely little by little has no step', async () => {
  await expectFound((step) => step / steps, {})
})

test('a failure of most worlds has no step, and is not searched', async () => {
  const { share, runs } = worlds(() => 1)
  const search = await findRises(steps, share)
  expect([isLikelyFromTheStart(search), search.rises, runs()]).toEqual([true, [], tries])
})

test('a search without enough time says where it was', async () => {
  const { share, runs } = worlds((step) => (step > 400 ? 1 : 0))
  const { isUnfinished, unfinished, rises } = await findRises(steps, async (step, round) => {
    if (runs() > 100) throw new TimeIsUp()
    return share(step, round)
  })
  expect([isUnfinished, rises]).toEqual([true, []])
  expect(unfinished!.low.step).toBeLessThanOrEqual(400)
  expect(unfinished!.high.step).toBeGreaterThan(400)
})
