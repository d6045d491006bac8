import { describe, expect, test } from 'vitest'
import { commonPasswords, isCommonPassword } from '../../src/features/identity/accounts/common-passwords.ts'
import { password as goodPassword } from '../../testkit/gateway/browser.ts'

const listed = commonPasswords.split(' ')

describe('a common password', () => {
  test.each([
    '1qaz2wsx3edc',
    'qwerty123456',
    'password1234',
    'passwordpassword',
    '123456789012',
    'administrator',
    'aaaaaaaaaaaa',
    'password2024!',
    'P@ssw0rd1234',
    'iloveyou!!!!',
    '123456woaini',
    '1234123412341234',
    '密码密码密码密码密码密码',
  ])('a common password is %s', (password) => {
    expect(isCommonPassword(password)).toBe(true)
  })

  test('a common password is found in any case', () => {
    expect(isCommonPassword('PassWord1234')).toBe(true)
    expect(isCommonPassword('QWERTY123456')).toBe(true)
  })

  test('a common password is compared in composed form', () => {
    const decomposed = 'e\u0301'.repeat(3)
    // Composed it is one character twelve times over; decomposed it repeats seven.
    expect(isCommonPassword(`${decomposed}\u00e9`.repeat(3))).toBe(true)
  })

  test.each([
    goodPassword,
    'moonlight over the lake',
    'my password is a poem',
    'dragonfly-lagoon-7',
    '床前明月光疑是地上霜举头望明月',
    '',
    'x'.repeat(3) + 'y'.repeat(9),
  ])('a common password is not %s', (password) => {
    expect(isCommonPassword(password)).toBe(false)
  })
})

test('the list has only passwords that the length rule accepts, each once, as they are compared', () => {
  expect(listed).toHaveLength(1500)
  expect(new Set(listed).size).toBe(listed.length)
  for (const password of listed) {
    expect([...password].length).toBeGreaterThanOrEqual(12)
    expect(password).toBe(password.normalize('NFC').toLowerCase())
  }
})
