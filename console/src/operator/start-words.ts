import type { Language } from '../i18n/i18n.ts'
import { loadWords } from '../i18n/words.ts'
import { errorWords } from './error-words.ts'
import { access } from './pages/access/words.ts'
import { shell } from './words.ts'

/** The words loaded at start: the shared ones, those of the frame and the sign-in, and the operators' error sentences. */
export async function loadStartWords(language: Language): Promise<object> {
  const shared = await loadWords(language)
  const own = language === 'en' ? 'en' : 'zh'
  return {
    ...shared,
    operator: { ...shell[own], ...access[own] },
    errors: { ...shared.errors, ...errorWords[own] },
  }
}
