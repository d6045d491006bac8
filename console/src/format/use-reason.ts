import { useTranslation } from 'react-i18next'
import type { ErrorCode } from '../../../src/contract/errors.ts'
import type { ReasonCode } from '../../../src/contract/reasons.ts'
import type { Charge } from '../api/types.ts'

/** Why a call was released or held, in the reader's language; in English for a code newer than this page. */
export function useReason(): (reason: NonNullable<Charge['reason']>) => string {
  const { t } = useTranslation()
  return ({ code, text }) => {
    const words = t([`reasons.${code as ReasonCode}`, `errors.${code as ErrorCode}`], { defaultValue: text })
    return `${words} (${code})`
  }
}
