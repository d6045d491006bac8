/** Full-width digits, which Chinese input methods write, as plain ones; spaces and thousands separators are dropped. */
export const plainDigits = (text: string): string =>
  text.replace(/[０-９]/g, (digit) => String(digit.charCodeAt(0) - zero)).replace(/[\s,，]/g, '')

const zero = '０'.charCodeAt(0)
