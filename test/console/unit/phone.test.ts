import { describe, expect, test } from 'vitest'
import { identifierOf, phoneOf } from '../../../console/src/format/contact.ts'

describe('phone numbers in the console', () => {
  test.each([
    ['13800138001', '13800138001'],
    ['+86 138 0013 8001', '13800138001'],
    ['0086-138-0013-8001', '13800138001'],
    ['１３８００１３８００１', '13800138001'],
    // While it is typed.
    ['+86', '86'],
    ['+861', '1'],
    ['138 0013 8001 99', '13800138001'],
  ])('%s is read as %s', (text, phone) => {
    expect(phoneOf(text)).toBe(phone)
  })

  test.each([
    [' +86 138 0013 8001 ', '13800138001'],
    [' li.86138@example.com ', 'li.86138@example.com'],
    // The gateway says what is wrong with it.
    ['12345', '12345'],
  ])('signing in with %s means %s', (text, identifier) => {
    expect(identifierOf(text)).toBe(identifier)
  })
})
