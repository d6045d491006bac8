import { expect, test } from 'vitest'
import { chooseLanguage } from '../../src/http/static/compress.ts'

const languages = ['en', 'zh'] as const

test.each([
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['zh', 'zh'],
  ['ZH-hant', 'zh'],
  ['en-US,en;q=0.9,zh;q=0.8', 'en'],
  ['en, zh', 'en'],
  ['fr, zh;q=0.5, en;q=0.4', 'zh'],
  ['fr', 'en'],
  ['zh;q=0', 'en'],
  ['*', 'en'],
  ['', 'en'],
  ['zhx', 'en'],
])('Accept-Language: %s is answered in %s', (value, expected) => {
  expect(chooseLanguage({ value }, languages)).toBe(expected)
})

test('without the header, or with several, the first language is used', () => {
  expect(chooseLanguage('absent', languages)).toBe('en')
  expect(chooseLanguage('repeated', languages)).toBe('en')
})
