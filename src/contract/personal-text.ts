/** Whether a text is, or has in it, what must not be in an address: a phone number, an email, or more of an API key than its prefix. */
export function isPersonal(text: string): boolean {
  const plain = text.normalize('NFKC')
  if (/\S@\S/.test(plain) || /gk_[a-z]+_[0-9A-Za-z]{5}/.test(plain)) return true
  return !/[\p{L}_]/u.test(plain) && /^(?:00)?(?:86)?1\d{10}$/.test(plain.replaceAll(/\D/g, ''))
}
