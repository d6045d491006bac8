import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { limitMsOf, longUnitTests, slowFiles, usualSeconds } from '../../testkit/slow-files.ts'

test('every test file that may be slow, or starts first, exists, and is listed once', () => {
  const listed = [...slowFiles.flatMap(({ files }) => files), ...longUnitTests]
  expect(listed.filter((file) => !existsSync(join(import.meta.dirname, '../..', file)))).toEqual([])
  expect(new Set(listed).size).toBe(listed.length)
})

test('a test file may take 20 seconds, and longer only on a busy machine or with a reason', () => {
  const usual = 'test/ledger/rules.test.ts'
  expect([0.5, 2, 6].map((load) => limitMsOf(usual, load))).toEqual([20_000, 20_000, 60_000])
  const { files, seconds } = slowFiles[0]!
  expect([2, 6].map((load) => limitMsOf(files[0]!, load))).toEqual([seconds * 1000, seconds * 3000])
})

test('files that take longest start first', () => {
  const [kills] = slowFiles[0]!.files
  const seconds = [kills!, longUnitTests[0]!, 'test/ledger/rules.test.ts'].map(usualSeconds)
  expect(seconds).toEqual([slowFiles[0]!.seconds, 20, 0])
})
