export const isPhone = (text: string): boolean => /^1[3-9][0-9]{9}$/.test(text)

export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())

const digits = 11

/** Normalises a mainland number as people paste it: full-width digits, spaces, dashes, country code. */
export function phoneOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\D/g, '')
    .replace(/^(00)?86(?=1)/, '')
    .slice(0, digits)
}

/** Normalises a sign-in identifier: emails unchanged, phone numbers to 11 digits. */
export function identifierOf(text: string): string {
  const trimmed = text.trim()
  const phone = phoneOf(trimmed)
  return trimmed.includes('@') || phone.length !== digits ? trimmed : phone
}

/** Extracts the code from typed or pasted text: grouped digits, or a whole message that contains it. */
export function verificationCodeOf(text: string, digits: number): string {
  // All kinds of dashes, because phones substitute them.
  const plain = text.normalize('NFKC').replace(/\p{Dash}/gu, '-')
  const whole = new RegExp(`(?<!\\d)\\d{${digits}}(?!\\d)`)
  const grouped = new RegExp(`(?<!\\d)\\d(?:[\\s.·-]?\\d){${digits - 1}}(?!\\d)`)
  const found = whole.exec(plain)?.[0] ?? grouped.exec(plain)?.[0] ?? plain
  return found.replace(/\D/g, '').slice(0, digits)
}

const shortest = 12
const longest = 128

/** Counted like the gateway does: in code points, not UTF-16 units. */
export const lengthOf = (password: string): number => [...password].length

export function passwordFault(password: string): 'passwordShort' | 'passwordLong' | null {
  const length = lengthOf(password)
  return length < shortest ? 'passwordShort' : length > longest ? 'passwordLong' : null
}

export const strengths = ['weak', 'fair', 'good', 'strong'] as const
type Strength = (typeof strengths)[number]

/** A rough estimate: distinct characters, ignoring repetitions and sequences. */
export function strengthOf(password: string, known: readonly string[] = []): Strength {
  const characters = [...password.toLowerCase()]
  const fresh = characters.filter((character, i) => {
    const step = character.codePointAt(0)! - (characters[i - 1]?.codePointAt(0) ?? -9)
    return Math.abs(step) > 1
  })
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/].filter((kind) => kind.test(password)).length
  const isGuessable = known.some((text) => text.length >= 4 && password.includes(text)) || /passw|qwert/i.test(password)
  const score = new Set(fresh).size + fresh.length / 3 + kinds - (isGuessable ? 6 : 0)
  return score < 11 ? 'weak' : score < 15 ? 'fair' : score < 20 ? 'good' : 'strong'
}
