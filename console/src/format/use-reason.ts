import { useTranslation } from 'react-i18next'
import type { Charge } from '../api/types.ts'
import { useSentence } from '../design/use-sentence.ts'
import { reasonNames } from './reason-names.ts'

/** Why a call was released or held: by its code where there is one, else by the words of the gateway. */
export function useReason(): (reason: NonNullable<Charge['reason']>) => string {
  const { t } = useTranslation()
  const sentence = useSentence()
  return ({ code, text }) => {
    if (code) return `${sentence(code)} (${code})`
    const name = reasonNames[text.replace(/ \([^)]*\)$/, '')]
    return name ? t(`reasons.${name}`) : text
  }
}
