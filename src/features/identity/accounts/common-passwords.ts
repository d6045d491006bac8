import list from './common-passwords.json' with { type: 'json' }

/** Written by build/generate-common-passwords.ts, which names the source. */
export const commonPasswords: string = list.passwords

/**
 * Whether attackers try this password early, as NIST SP 800-63B asks to check: it is on the list of common ones of 12 or more
 * characters, in any case; it repeats a few characters; or it lengthens a common word with digits and signs.
 */
export function isCommonPassword(password: string): boolean {
  const text = password.normalize('NFC').toLowerCase()
  return common.has(text) || isRepeated(text) || isLengthened(text)
}

/** Up to four characters, at least three times: aaaaaaaaaaaa, 123412341234. */
export const isRepeated = (text: string): boolean => /^(.{1,4})\1{2,}$/su.test(text)

const common = new Set(commonPasswords.split(' '))

/** The words that most short passwords consist of, English and Chinese. The list above has few of their longer forms. */
const words = `password passwd pass qwerty qwertyuiop asdfgh asdfghjkl zxcvbnm qazwsx abc abcd abcdef admin administrator root
  login welcome letmein changeme iloveyou loveyou monkey dragon master football baseball superman batman princess sunshine
  shadow michael jordan hello freedom whatever trustno secret test testing user guest default computer internet samsung google
  woaini woaiwo nihao aini wang zhang asd qwe qaz wsx`

const lengthened = new RegExp(`^[\\d\\W_]*(?:${words.trim().split(/\s+/).join('|')}){1,3}[\\d\\W_]*$`, 'u')

/** password2024, P@ssw0rd1234, iloveyou!!!!. Digits that stand for letters are read as those letters too. */
const isLengthened = (text: string): boolean => lengthened.test(text) || lengthened.test(withLetters(text))

const letters: Readonly<Record<string, string>> = { '@': 'a', '0': 'o', '3': 'e', $: 's', '5': 's' }

/** Only between letters: digits at the end are digits. */
const withLetters = (text: string) => text.replace(/(?<=[a-z@0$35])[@0$35](?=[a-z@0$35])/g, (sign) => letters[sign]!)
