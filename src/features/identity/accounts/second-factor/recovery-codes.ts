import { randomBytes } from '../../../../base/randomness.ts'
import { tokenDigest } from '../../../../base/signatures.ts'
import { base32 } from '../../../../base/totp.ts'
import { recoveryCodeCount } from './contract.ts'

/** 80 random bits each, so that a digest without a key is enough: it outlives a rotation of the secret. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodeCount }, () => base32(randomBytes(10)).replace(/(.{4})(?=.)/g, '$1-'))

/** The digest of what somebody typed, whatever its case, spaces and hyphens; null if it cannot be a recovery code. */
export function digestOfCode(typed: string): string | null {
  const code = typed.replace(/[\s-]/g, '').toUpperCase()
  return /^[A-Z2-7]{16}$/.test(code) ? tokenDigest('recovery-code', code) : null
}
