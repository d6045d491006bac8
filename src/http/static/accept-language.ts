import type { HeaderValue } from '../route.ts'
import { parseWeights } from './weights.ts'

/** Which of the languages the client likes best, by their first subtag; the first of them where it has no wish. */
export function chooseLanguage<L extends string>(acceptLanguage: HeaderValue, languages: readonly [L, ...L[]]): L {
  if (acceptLanguage === 'absent' || acceptLanguage === 'repeated') return languages[0]
  const weights = [...parseWeights(acceptLanguage.value)]
  const weightOf = (language: string) =>
    Math.max(0, ...weights.filter(([range]) => range.split('-')[0] === language).map(([, weight]) => weight))
  return languages.reduce((best, language) => (weightOf(language) > weightOf(best) ? language : best))
}
