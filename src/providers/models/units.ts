export interface TextCounts {
  /**
   * The gateway's own measure of text, for models that report none: each ideograph, kana, hangul syllable, symbol and
   * punctuation mark is one unit, and so is each started group of four letters or digits.
   */
  readonly units: number
  readonly letters: number
  readonly ideographs: number
}

export const countUnits = (text: string): number => countText(text).units

export function countText(text: string): TextCounts {
  let units = 0
  let letters = 0
  let ideographs = 0
  let wordLength = 0
  for (let at = 0; at < text.length; at += 1) {
    let kind = kinds[text.charCodeAt(at)]!
    let width = 1
    if (kind === 0) {
      const codePoint = text.codePointAt(at)!
      kind = learnKind(codePoint)
      width = codePoint > 0xffff ? 2 : 1
      at += width - 1
    }
    if (kind & isLetter) letters += 1
    if (kind & isIdeograph) ideographs += 1
    if (kind & isInWord) {
      wordLength += width
      continue
    }
    units += (wordLength + 3) >> 2
    wordLength = 0
    if (!(kind & isSpace)) units += 1
  }
  return { units: units + ((wordLength + 3) >> 2), letters, ideographs }
}

const isSpace = 1
/** A letter or digit of a script with words: four of them make a unit. */
const isInWord = 2
const isLetter = 4
const isIdeograph = 8
const isKnown = 128

/**
 * Kinds of the common characters, filled as they are seen: testing Unicode properties each time takes four times as long. Those of
 * surrogates stay 0, because their kind depends on the next one.
 */
const kinds = new Uint8Array(0x10000)

function learnKind(codePoint: number): number {
  const kind = testKind(codePoint)
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff
  if (codePoint < kinds.length && !isSurrogate) kinds[codePoint] = kind
  return kind
}

function testKind(codePoint: number): number {
  const char = String.fromCodePoint(codePoint)
  let kind = isKnown
  if (/\s/v.test(char)) kind |= isSpace
  if (/[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]]/v.test(char)) kind |= isInWord
  if (/\p{L}/v.test(char)) kind |= isLetter
  if (/\p{sc=Han}/v.test(char)) kind |= isIdeograph
  return kind
}
