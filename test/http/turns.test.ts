import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inTurns } from '../../src/http/turns.ts'

test('what arrives in one turn is handed on in the next, in order and no more than allowed at once', async () => {
  const turns: number[][] = [[]]
  const arrive = inTurns((item: number) => void turns.at(-1)!.push(item), 2)
  for (const item of [1, 2, 3, 4, 5]) arrive(item)
  expect(turns).toEqual([[]])
  for (let turn = 0; turn < 4; turn += 1) {
    await nextTurn()
    turns.push([])
  }
  expect(turns).toEqual([[1, 2], [3, 4], [5], [], []])
  arrive(6)
  await nextTurn()
  expect(turns.at(-1)).toEqual([6])
})

test('one that throws keeps nobody else from their turn', async () => {
  const handed: number[] = []
  const uncaught: unknown[] = []
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', (error) => uncaught.push(error))
  try {
    const arrive = inTurns((item: number) => {
      if (item === 2) throw new Error('broken')
      handed.push(item)
    }, 2)
    for (const item of [1, 2, 3]) arrive(item)
    await nextTurn()
    await nextTurn()
  } finally {
    process.removeAllListeners('uncaughtException')
    for (const listener of others) process.on('uncaughtException', listener)
  }
  expect(handed).toEqual([1, 3])
  expect(uncaught).toEqual([expect.objectContaining({ message: 'broken' })])
})
