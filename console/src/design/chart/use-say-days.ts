import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format/format.ts'
import { useCreditsText } from '../amount.tsx'
import type { Span } from './days.ts'

/** Says in a line what was spent on a day or in a week. */
export function useSayDays(): (span: Span) => string {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  return ({ from, to, credits, calls }) =>
    `${format.days(from, to)}: ${creditsText(credits)}, ${t('common.callsCount', { count: calls, amount: format.number(calls) })}`
}
