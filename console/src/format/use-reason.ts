import { useTranslation } from 'react-i18next'
import type { ErrorCode } from '../../../src/contract/errors.ts'
import type { ReasonCode } from '../../../src/contract/reasons.ts'
import type { Charge } from '../api/types.ts'

/**
 * Why a call was released or is in review, in the reader's language; in English for a code newer than this page. Callers have seen
 * an error code in their response, so it is shown too.
 */
export function useReason(): (reason: NonNullable<Charge['reason']>) => string {
  const { t, i18n } = useTranslation()
  return ({ code, text }) => {
    if (i18n.exists(`reasons.${code}`)) return t(`reasons.${code as ReasonCode}`)
    return `${t(`errors.${code as ErrorCode}`, { defaultValue: text })} (${code})`
  }
}
