import { expect, test } from 'vitest'
import { sometimes, useSometimes } from '../../src/base/sometimes.ts'
import { expectedReach } from './reach.ts'
import { sometimesNames } from './sometimes.ts'

test('every marked case of the sources is expected of a long run, under a name of its own', () => {
  const names = sometimesNames()
  expect(names.length).toBeGreaterThan(10)
  expect(names).toEqual([...new Set(names)])
  expect(names.filter((name) => name.startsWith('a name in'))).toEqual([])
  const expected = new Set(expectedReach)
  expect(names.filter((name) => !expected.has(`sometimes: ${name}`))).toEqual([])
})

test('a case is counted only while somebody counts', () => {
  const reached: string[] = []
  sometimes('before')
  useSometimes((name) => void reached.push(name))
  sometimes('during')
  expect(sometimes('not reached', false)).toBe(false)
  useSometimes(null)
  sometimes('after')
  expect(reached).toEqual(['during'])
})
