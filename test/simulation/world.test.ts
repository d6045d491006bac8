import { afterEach, expect, test } from 'vitest'
import { World } from './world.ts'

let world: World
afterEach(() => world.end())

/** A world that goes on for ever. */
function endless(isOver: () => boolean): World {
  world = new World(1, { isOver })
  const tick = () => void world.schedule(10, world.outside, 'tick', tick)
  tick()
  return world
}

test('a world is cut short between two steps when the real time is over, and runs no further', async () => {
  endless(() => world.steps >= 25)
  expect(await world.runUntil(() => false, 1_000_000)).toBe(false)
  expect([world.steps, world.isCutShort, world.violation]).toEqual([25, true, null])
  expect(await world.runUntil(() => false, 1_000_000)).toBe(false)
  expect(world.steps).toBe(25)
})

test('a world whose virtual time is up first is not cut short', async () => {
  endless(() => false)
  expect(await world.runUntil(() => false, 1000)).toBe(false)
  expect([world.steps > 90, world.isCutShort]).toEqual([true, false])
})
