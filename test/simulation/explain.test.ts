import { expect, test } from 'vitest'
import { newId } from '../../src/base/ids.ts'
import { explain } from './explain.ts'
import { type RunOptions, World } from './world.ts'

/** A world of 200 events, each with some randomness; only what event 120 draws may make it fail, forty events later. */
async function run(seed: number, options: RunOptions) {
  const world = new World(seed, options)
  try {
    let isBad = false
    let events = 0
    const next = () => {
      events += 1
      const drawn = world.random.share()
      if (events === 120) {
        isBad = drawn < 0.1
        world.trace(`draws ${drawn}`)
      }
      if (events === 160 && isBad) world.fail(`acc_x1 had bad luck at ${drawn}`)
      world.schedule(10, world.outside, `event ${events + 1}`, next)
    }
    world.schedule(10, world.outside, 'event 1', next)
    await world.runUntil(() => events === 200, 1_000_000)
    return {
      violation: world.violation,
      steps: world.steps,
      isUnfinished: world.isCutShort,
      digest: world.traceDigest(),
    }
  } finally {
    world.end()
  }
}

async function explained(seed: number, isTimeUp = () => false) {
  let printed = ''
  const print = (text: string) => {
    printed += `${text}\n`
  }
  return { exitCode: await explain({ run: (options) => run(seed, options), isTimeUp, print }), printed: () => printed }
}

async function firstSeed(isFailing: boolean): Promise<number> {
  for (let seed = 1; ; seed += 1) if (((await run(seed, {})).violation !== null) === isFailing) return seed
}

test('the step whose randomness makes a world fail is named, with the lines around it', async () => {
  const { exitCode, printed } = await explained(await firstSeed(true))
  expect(exitCode).toBe(1)
  expect(printed()).toContain('violation after 160 steps: acc_x1 had bad luck')
  expect(printed().match(/^step \d+/gm)).toEqual(['step 120'])
  expect(printed()).toMatch(
    / {2}120 1200.000 outside event 120\n {2}120 1200.000 outside draws 0.0\d*\nand after it:\n {2}121 /,
  )
})

test('a world that does not fail is not explained', async () => {
  const { exitCode, printed } = await explained(await firstSeed(false))
  expect([exitCode, printed()]).toEqual([0, 'this world does not fail\n'])
})

test('a search without enough time says how far it came', async () => {
  let asked = 0
  const isTimeUp = () => {
    asked += 1
    return asked > 20_000
  }
  const { exitCode, printed } = await explained(await firstSeed(true), isTimeUp)
  expect(exitCode).toBe(1)
  expect(printed()).toMatch(/^unfinished, because the time was over.*it was at the steps \d+ to \d+$/m)
})

test('a changed world is the same before that step', async () => {
  const linesOf = async (options: RunOptions) => {
    const lines: string[] = []
    await run(4, { ...options, onLine: (line) => void lines.push(line) })
    return lines
  }
  const plain = await linesOf({})
  // Only event 120 traces what it draws.
  expect(await linesOf({ change: { step: 121, salt: 1 } })).toEqual(plain)
  const changed = await linesOf({ change: { step: 120, salt: 1 } })
  expect(changed.slice(0, 120)).toEqual(plain.slice(0, 120))
  expect(changed[120]).not.toBe(plain[120])
})

test('the randomness of ids changes as well', async () => {
  const idIn = (options: RunOptions) => {
    const world = new World(1, options)
    let id = ''
    world.schedule(10, world.outside, 'event', () => {
      id = newId('acc')
    })
    return world
      .runUntil(() => id !== '', 1000)
      .then(() => {
        world.end()
        return id
      })
  }
  expect(await idIn({})).toBe(await idIn({}))
  expect(await idIn({ change: { step: 1, salt: 1 } })).not.toBe(await idIn({}))
})
