import { useTranslation } from 'react-i18next'
import type { FormField } from './form-dialog.tsx'

/** The reason that every action is recorded with. */
export function useReasonField(options: { hint?: string; isOptional?: boolean } = {}): FormField<'reason'> {
  const { t } = useTranslation()
  return {
    name: 'reason',
    label: t('operator.form.reason'),
    hint: options.hint ?? t('operator.form.reasonHint'),
    maxLength: 500,
    codes: ['REASON_INVALID'],
    ...(options.isOptional && { isOptional: true }),
  }
}
