import { expect, test } from 'vitest'
import { msText } from '../../../console/src/format/numbers.ts'

test.each([
  [[7], '7 ms', '7 毫秒'],
  [[0.42], '0.4 ms', '0.4 毫秒'],
  [[1234], '1,234 ms', '1,234 毫秒'],
  [[1.5, 20.4, 300], '1.5 / 20 / 300 ms', '1.5 / 20 / 300 毫秒'],
])('latencies of %j have one unit', (values, english, chinese) => {
  expect([msText('en', values), msText('zh-CN', values)]).toEqual([english, chinese])
})
