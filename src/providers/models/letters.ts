/** What a code point is, as bits; a table that is filled as text is seen, for asking Unicode every time is slow. */
export const isSpace = 1
/** A letter or digit of a script that writes words: four of them make a unit. */
export const isOfWord = 2
export const isLetter = 4
export const isHan = 8
const isKnown = 128

const known = new Uint8Array(0x110000)

export function kindOf(codePoint: number): number {
  const kind = known[codePoint]!
  return kind === 0 ? learn(codePoint) : kind
}

function learn(codePoint: number): number {
  const char = String.fromCodePoint(codePoint)
  let kind = isKnown
  if (/\s/v.test(char)) kind |= isSpace
  if (/[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]]/v.test(char)) kind |= isOfWord
  if (/\p{L}/v.test(char)) kind |= isLetter
  if (/\p{sc=Han}/v.test(char)) kind |= isHan
  known[codePoint] = kind
  return kind
}

/** UTF-16 units of a code point, which `codePointAt` steps over. */
export const widthOf = (codePoint: number): number => (codePoint > 0xffff ? 2 : 1)
