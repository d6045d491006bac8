import { expect, test } from 'vitest'
import { chooseCoding } from '../../src/http/static/compress.ts'

test.each([
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip;q=0.4, br;q=0.8', 'br'],
  ['br;q=0', null],
  ['gzip;q=0, br;q=0.000', null],
  ['*;q=0', null],
  ['identity', null],
  ['identity;q=1, gzip;q=0.5', null],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity;q=0, gzip', 'gzip'],
  ['identity;q=0', null],
  ['deflate', null],
  ['', null],
  [' br ; q=0.9 , gzip ; q=0.8 ', 'br'],
  ['br;q=2', null],
  ['br;q=x, gzip', 'gzip'],
  ['br gzip', null],
])('Accept-Encoding: %s gets %s', (value, expected) => {
  expect(chooseCoding({ value })).toBe(expected)
})

test('without the header, or with several, the response is not compressed', () => {
  expect(chooseCoding('absent')).toBeNull()
  expect(chooseCoding('repeated')).toBeNull()
})
