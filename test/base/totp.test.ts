import { describe, expect, test } from 'vitest'
import { acceptedStep, base32, codeAt } from '../../src/base/totp.ts'

/** The secret of RFC 6238, appendix B. Its codes have eight digits; six are the last of them. */
const secret = base32(Buffer.from('12345678901234567890'))

describe('one-time codes', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('one-time codes at second %i are those of RFC 6238', (seconds, code) => {
    expect(codeAt(secret, Math.floor(seconds / 30))).toBe(code)
  })

  test('one-time codes are accepted one step early or late, and no code twice', () => {
    const now = 1_234_567_890_000
    const step = Math.floor(now / 30_000)
    for (const off of [-1, 0, 1]) {
      expect(acceptedStep(secret, codeAt(secret, step + off), { now, lastStep: null })).toBe(step + off)
    }
    for (const off of [-2, 2]) {
      expect(acceptedStep(secret, codeAt(secret, step + off), { now, lastStep: null })).toBeNull()
    }
    expect(acceptedStep(secret, codeAt(secret, step), { now, lastStep: step })).toBeNull()
    expect(acceptedStep(secret, codeAt(secret, step + 1), { now, lastStep: step })).toBe(step + 1)
    expect(acceptedStep(secret, 'abcdef', { now, lastStep: null })).toBeNull()
  })
})
