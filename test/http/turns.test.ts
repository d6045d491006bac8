import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from '../../src/http/turns.ts'

test('what arrives in one turn begins in the next, in order and no more than allowed at once', async () => {
  const turns: number[][] = [[]]
  const turn = createTurns(2)
  const arrive = (item: number) => turn().then(() => turns.at(-1)!.push(item))
  for (const item of [1, 2, 3, 4, 5]) void arrive(item)
  await Promise.resolve()
  expect(turns).toEqual([[]])
  for (let passed = 0; passed < 4; passed += 1) {
    await nextTurn()
    turns.push([])
  }
  expect(turns).toEqual([[1, 2], [3, 4], [5], [], []])
  void arrive(6)
  await nextTurn()
  expect(turns.at(-1)).toEqual([6])
})
