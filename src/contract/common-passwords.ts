import { commonPasswordList } from './common-password-list.ts'

/**
 * Whether attackers try this password early, as NIST SP 800-63B asks to check: it is on the list of common ones of 12 or more
 * characters, in any case, or it repeats a few characters.
 */
export function isCommonPassword(password: string): boolean {
  const text = password.normalize('NFC').toLowerCase()
  return common.has(text) || isRepeated(text)
}

/** Up to four characters, at least three times: aaaaaaaaaaaa, 123412341234. */
export const isRepeated = (text: string): boolean => /^(.{1,4})\1{2,}$/su.test(text)

const common = new Set(commonPasswordList.trim().split(/\s+/))
