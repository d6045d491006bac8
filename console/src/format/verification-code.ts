const whole = /(?<!\d)\d{6}(?!\d)/
const grouped = /(?<!\d)\d(?:[\s.·-]?\d){5}(?!\d)/

/** The code in what was typed or pasted: digits in groups, or a whole message that has six digits in a row. */
export function verificationCodeOf(text: string): string {
  // Dashes of all kinds, because phones replace them.
  const plain = text.normalize('NFKC').replace(/\p{Dash}/gu, '-')
  const found = whole.exec(plain)?.[0] ?? grouped.exec(plain)?.[0] ?? plain
  return found.replace(/\D/g, '').slice(0, 6)
}
