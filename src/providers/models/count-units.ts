import { isHan, isLetter, isOfWord, isSpace, kindOf, widthOf } from './letters.ts'

/** What a text is made of. */
export interface Counted {
  /**
   * The gateway's own measure, for models that report none: each ideograph, kana, hangul syllable, symbol and
   * punctuation mark is one unit, and so is each started group of four letters or digits. It depends on nothing but the text.
   */
  readonly units: number
  readonly letters: number
  readonly ideographs: number
}

export const countUnits = (text: string): number => count(text).units

export function count(text: string): Counted {
  let units = 0
  let letters = 0
  let ideographs = 0
  let wordLength = 0
  for (let i = 0; i < text.length; i += 1) {
    let codePoint = text.charCodeAt(i)
    let width = 1
    // Rarely more than one unit of UTF-16: asking for code points throughout is a fifth slower.
    if (isHighSurrogate(codePoint)) {
      codePoint = text.codePointAt(i)!
      width = widthOf(codePoint)
      i += width - 1
    }
    const kind = kindOf(codePoint)
    if (kind & isLetter) letters += 1
    if (kind & isOfWord) {
      wordLength += width
      continue
    }
    if (kind & isHan) ideographs += 1
    units += (wordLength + 3) >> 2
    wordLength = 0
    // Half a surrogate pair and a character outside of the first plane alike are one.
    if (!(kind & isSpace)) units += 1
  }
  return { units: units + ((wordLength + 3) >> 2), letters, ideographs }
}

const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800
