import { expect, test } from 'vitest'
import { createRecentKeys, keyTokenOf } from '../../src/http/transport/admission-queue.ts'

const key = (name: string) => `gk_live_${name.padStart(43, 'x')}`

test('a key is known by its last half only, and a short credential by nothing', () => {
  const token = keyTokenOf(`Bearer ${key('1')}`)!
  expect(token).toBe('1'.padStart(22, 'x'))
  expect(keyTokenOf(`bearer  ${key('1')}`)).toBe(token)
  expect(['', 'Bearer', `Bearer ${'x'.repeat(22)}`].map(keyTokenOf)).toEqual([undefined, undefined, undefined])
})

test('the memory of keys is bounded: the one remembered first is forgotten first', () => {
  const keys = createRecentKeys(2)
  for (const name of ['a', 'b', 'a', 'c']) keys.remember(name, `prj_${name}`)
  expect(['a', 'b', 'c'].map(keys.projectOf)).toEqual([undefined, 'prj_b', 'prj_c'])
  keys.forget('b')
  expect(keys.projectOf('b')).toBeUndefined()
})
