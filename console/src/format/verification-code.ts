/** The code in what was typed or pasted: digits in groups, or a whole message that has as many digits in a row. */
export function verificationCodeOf(text: string, digits: number): string {
  // Dashes of all kinds, because phones replace them.
  const plain = text.normalize('NFKC').replace(/\p{Dash}/gu, '-')
  const whole = new RegExp(`(?<!\\d)\\d{${digits}}(?!\\d)`)
  const grouped = new RegExp(`(?<!\\d)\\d(?:[\\s.·-]?\\d){${digits - 1}}(?!\\d)`)
  const found = whole.exec(plain)?.[0] ?? grouped.exec(plain)?.[0] ?? plain
  return found.replace(/\D/g, '').slice(0, digits)
}
