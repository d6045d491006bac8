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
