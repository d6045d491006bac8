import { describe, expect, test } from 'vitest'
import { createKeyring, SealUnusable } from '../../src/base/keyring.ts'

const first = 'the first secret of 32 bytes or more'
const second = 'the second secret of 32 bytes or more'

describe('a sealed value', () => {
  const keyring = createKeyring(first)
  const value = keyring.seal('phone acc_1', '13800138000')

  test('a sealed value opens with the secret and the context it was sealed with', () => {
    expect(keyring.open('phone acc_1', value)).toBe('13800138000')
    expect(createKeyring(first).open('phone acc_1', value)).toBe('13800138000')
  })

  test('a sealed value differs each time, so that equal contacts cannot be recognised', () => {
    expect(keyring.seal('phone acc_1', '13800138000').sealed).not.toBe(value.sealed)
  })

  test('a sealed value does not open in another context, with another secret, or after any change', () => {
    expect(() => keyring.open('phone acc_2', value)).toThrow(SealUnusable)
    expect(() => createKeyring(second).open('phone acc_1', value)).toThrow(/not configured/)
    const foreign = { ...value, keyVersion: createKeyring(second).current.version }
    expect(() => createKeyring(second).open('phone acc_1', foreign)).toThrow(SealUnusable)
    const bytes = Buffer.from(value.sealed, 'base64url')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      expect(() => keyring.open('phone acc_1', { ...value, sealed: changed.toString('base64url') })).toThrow(
        SealUnusable,
      )
    }
    expect(() => keyring.open('phone acc_1', { ...value, sealed: '' })).toThrow(SealUnusable)
  })

  test('a sealed value opens with a previous secret, and new ones are sealed with the current', () => {
    const rotating = createKeyring(second, [first])
    expect(rotating.open('phone acc_1', value)).toBe('13800138000')
    expect(rotating.seal('phone acc_1', 'x').keyVersion).toBe(createKeyring(second).current.version)
  })
})

test('the version and the check value of a secret contain nothing of it', () => {
  const { version, checkValue } = createKeyring(first).current
  expect(version).toMatch(/^[0-9a-f]{12}$/)
  expect(checkValue).toMatch(/^[\w-]{43}$/)
  expect(`${version}${checkValue}`).not.toContain('first')
})
