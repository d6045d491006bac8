/**
 * Estimates usage for models that report none: one unit for each ideograph, kana, hangul syllable, symbol and punctuation mark,
 * and one for every four letters or digits of a word, rounded up.
 */
export function countUnits(text: string): number {
  let units = codePointsOf(text.replace(wordsAndSpaces, ''))
  for (const word of text.match(words) ?? []) units += Math.ceil(word.length / 4)
  return units
}

const words = /[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]]+/gv
const wordsAndSpaces = new RegExp(`(?:${words.source}|\\s)+`, 'gv')

const codePointsOf = (text: string) => text.length - (text.match(/[\u{10000}-\u{10FFFF}]/gu)?.length ?? 0)
