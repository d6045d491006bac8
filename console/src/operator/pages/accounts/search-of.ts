import { phoneOf } from '../../../format/contact.ts'
import type { FindAccounts } from '../../api/types.ts'

/** Parses the search text; null if it is nothing an account can be found by. */
export function searchOf(text: string): FindAccounts | null {
  const typed = text.trim()
  if (/^(acc|prj|key)_[A-Za-z0-9]+$/.test(typed)) return { id: typed }
  if (/^gk_/.test(typed)) return { keyPrefix: typed }
  if (/^[^\s@]+@[^\s@]+$/.test(typed)) return { email: typed }
  const phone = phoneOf(typed)
  return phone.length === 11 && /^[\d\s()+-]+$/.test(typed.normalize('NFKC')) ? { phone } : null
}
