import { PasswordInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
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
    <PasswordInput
      label={t('account.currentPassword')}
      description={t('account.forgotPassword')}
      autoComplete="current-password"
      name="current"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      visibilityToggleButtonProps={{ 'aria-label': t('common.showKey') }}
      required
      withAsterisk={false}
    />
  )
}

/** A password of another length was never accepted. */
export function currentPasswordFault(value: string): 'required' | 'passwordWrong' | null {
  if (value === '') return 'required'
  return passwordFault(value) && 'passwordWrong'
}
