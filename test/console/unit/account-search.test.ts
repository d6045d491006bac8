import { expect, test } from 'vitest'
import { searchOf } from '../../../console/src/operator/pages/accounts/search-of.ts'

test.each([
  [' 138 0013 8000 ', { phone: '13800138000' }],
  ['+86 138-0013-8000', { phone: '13800138000' }],
  ['li@example.com', { email: 'li@example.com' }],
  ['acc_5vX2mQ8rT1yW4zB7cD9eF3', { id: 'acc_5vX2mQ8rT1yW4zB7cD9eF3' }],
  ['prj_1', { id: 'prj_1' }],
  ['key_1', { id: 'key_1' }],
  ['gk_live_4tYz', { keyPrefix: 'gk_live_4tYz' }],
])('%j is recognized', (typed, search) => {
  expect(searchOf(typed)).toEqual(search)
})

test.each(['', 'unknown', '1380013800', 'prj_', 'a 13800138000'])('%j finds nothing and is not sent', (typed) => {
  expect(searchOf(typed)).toBeNull()
})
