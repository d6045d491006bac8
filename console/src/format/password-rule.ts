const shortest = 12
const longest = 128

/** Counted as the gateway counts: in characters, not in the units that JavaScript stores them in. */
export const lengthOf = (password: string): number => [...password].length

export function passwordFault(password: string): 'passwordShort' | 'passwordLong' | null {
  const length = lengthOf(password)
  return length < shortest ? 'passwordShort' : length > longest ? 'passwordLong' : null
}

export const strengths = ['weak', 'fair', 'good', 'strong'] as const
export type Strength = (typeof strengths)[number]

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
