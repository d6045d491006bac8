import { useTranslation } from 'react-i18next'
import { PasswordField } from '../../design/field.tsx'
import { passwordFault } from '../../format/password-rule.ts'

interface CurrentPasswordProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | null
}

/** Proves that it is still the owner who sits at the device. */
export function CurrentPassword({ value, onChange, error }: CurrentPasswordProps) {
  const { t } = useTranslation()
  return (
    <PasswordField
      label={t('account.currentPassword')}
      description={t('account.forgotPassword')}
      autoComplete="current-password"
      name="current"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  )
}

/** A password of another length was never accepted. */
export function currentPasswordFault(value: string): 'required' | 'passwordWrong' | null {
  if (value === '') return 'required'
  return passwordFault(value) && 'passwordWrong'
}
