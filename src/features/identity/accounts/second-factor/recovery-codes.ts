import { randomBytes } from '../../../../base/randomness.ts'
import { tokenDigest } from '../../../../base/signatures.ts'
import { base32 } from '../../../../base/totp.ts'
import { recoveryCodeCount } from './contract.ts'

/** 80 random bits each, so that a digest without a key is enough: it outlives a rotation of the secret. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodeCount }, () => base32(randomBytes(10)).replace(/(.{4})(?=.)/g, '$1-'))

/** The digest of a typed recovery code, regardless of case, spaces and hyphens; null if it cannot be one. */
export function digestOfCode(typed: string): string | null {
  const code = typed.replace(/[\s-]/g, '').toUpperCase()
  return /^[A-Z2-7]{16}$/.test(code) ? tokenDigest('recovery-code', code) : null
}
