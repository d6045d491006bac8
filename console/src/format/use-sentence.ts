import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { type ErrorCode, Refused, Unreachable } from '../api/refusal.ts'

/** Says an error, or the code of one, in the reader's language. */
export function useSentence(): (error: unknown) => string {
  const { t } = useTranslation()
  return useCallback(
    (error) => {
      if (error instanceof Unreachable) return t('trouble.unreachable')
      // The operator's console has words for its own codes too.
      const code = (
        error instanceof Refused ? error.code : typeof error === 'string' ? error : null
      ) as ErrorCode | null
      // A newer gateway may know a code that this page does not.
      return t(`errors.${code ?? 'INTERNAL_ERROR'}`, { defaultValue: t('errors.INTERNAL_ERROR') })
    },
    [t],
  )
}
