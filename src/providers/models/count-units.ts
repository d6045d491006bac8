/**
 * The gateway's own measure, for models that report none: each ideograph, kana, hangul syllable, symbol and
 * punctuation mark is one unit, and so is each started group of four letters or digits. It depends on nothing but the text.
 */
export function countUnits(text: string): number {
  let units = 0
  for (const [piece] of text.matchAll(/[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]]+|\S/gv))
    units += Math.ceil(piece.length / 4)
  return units
}
