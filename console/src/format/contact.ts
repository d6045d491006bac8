export const isPhone = (text: string): boolean => /^1[3-9][0-9]{9}$/.test(text)

export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())

const digits = 11

/** A mainland number as people paste it: full-width digits, spaces, dashes and the country code are understood. */
export function phoneOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\D/g, '')
    .replace(/^(00)?86(?=1)/, '')
    .slice(0, digits)
}

/** What somebody signs in with: an email address as it is, anything that reads as a phone number as one. */
export function identifierOf(text: string): string {
  const trimmed = text.trim()
  const phone = phoneOf(trimmed)
  return trimmed.includes('@') || phone.length !== digits ? trimmed : phone
}

/** The code in what was typed or pasted: digits in groups, or a whole message that has as many digits in a row. */
export function verificationCodeOf(text: string, digits: number): string {
  // Dashes of all kinds, because phones replace them.
  const plain = text.normalize('NFKC').replace(/\p{Dash}/gu, '-')
  const whole = new RegExp(`(?<!\\d)\\d{${digits}}(?!\\d)`)
  const grouped = new RegExp(`(?<!\\d)\\d(?:[\\s.·-]?\\d){${digits - 1}}(?!\\d)`)
  const found = whole.exec(plain)?.[0] ?? grouped.exec(plain)?.[0] ?? plain
  return found.replace(/\D/g, '').slice(0, digits)
}

const shortest = 12
const longest = 128

/** Counted as the gateway counts: in characters, not in the units that JavaScript stores them in. */
export const lengthOf = (password: string): number => [...password].length

export function passwordFault(password: string): 'passwordShort' | 'passwordLong' | null {
  const length = lengthOf(password)
  return length < shortest ? 'passwordShort' : length > longest ? 'passwordLong' : null
}

export const strengths = ['weak', 'fair', 'good', 'strong'] as const
type Strength = (typeof strengths)[number]

/** A rough guide: how many different characters there are in a row that does not repeat or count up. */
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
