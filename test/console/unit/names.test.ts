import { expect, test } from 'vitest'
import { hasInvisible } from '../../../console/src/format/names.ts'
import { errors } from '../../../src/contract/errors.ts'

test('a name with a control or invisible character is recognized before it is sent', () => {
  for (const name of ['a\u0007b', 'a\tb', 'a\u200Bb', 'a\u202Eb']) expect(hasInvisible(name), name).toBe(true)
  for (const name of ['CI', '生产环境', '👩‍💻 laptop', 'a b']) expect(hasInvisible(name), name).toBe(false)
})

test('the refusal of a name says that control characters are a reason', () => {
  expect(errors.INVALID_NAME.meaning).toContain('control')
})
