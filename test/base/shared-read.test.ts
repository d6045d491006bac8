import { expect, test } from 'vitest'
import { shareReads } from '../../src/base/shared-read.ts'

test('what is asked while a read is under way shares the next one, and each gets its own answer', async () => {
  const reads: string[][] = []
  const gates: (() => void)[] = []
  const ask = shareReads(async (questions: readonly string[]) => {
    reads.push([...questions])
    await new Promise<void>((resolve) => void gates.push(resolve))
    return questions.map((question) => question.toUpperCase())
  })
  const first = ask('a')
  await Promise.resolve()
  await expect.poll(() => reads.length).toBe(1)
  const later = [ask('b'), ask('c')]
  gates[0]!()
  expect(await first).toBe('A')
  await expect.poll(() => reads.length).toBe(2)
  gates[1]!()
  expect(await Promise.all(later)).toEqual(['B', 'C'])
  expect(reads).toEqual([['a'], ['b', 'c']])
})

test('a read that fails fails those who shared it, and no one else', async () => {
  let isBroken = true
  const ask = shareReads(async (questions: readonly number[]) => {
    if (isBroken) throw new Error('no answer')
    return questions
  })
  const answers = await Promise.allSettled([ask(1), ask(2)])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isBroken = false
  expect(await ask(3)).toBe(3)
})
