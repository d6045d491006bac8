import type { Language } from '../i18n.ts'
import { loadWords } from '../words.ts'

/** The words of the operator console: the shared ones, its own, and its own error sentences. */
export async function loadOperatorWords(language: Language): Promise<object> {
  const [shared, { operator, errors }] = await Promise.all([loadWords(language), own(language)])
  return { ...shared, operator, errors: { ...shared.errors, ...errors } }
}

async function own(language: Language) {
  if (language === 'en') {
    const { operatorEn: operator, operatorErrorsEn: errors } = await import('./en/en.ts')
    return { operator, errors }
  }
  const { operatorZh: operator, operatorErrorsZh: errors } = await import('./zh/zh.ts')
  return { operator, errors }
}
