import { PasswordInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface KeyFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly wasHanded: boolean
}

/** A key for this page alone; browsers are asked not to keep it either. */
export function KeyField({ value, onChange, wasHanded }: KeyFieldProps) {
  const { t } = useTranslation()
  return (
    <PasswordInput
      mt="md"
      label={t('playground.key')}
      description={wasHanded ? `${t('playground.lastKey')} ${t('playground.keyHint')}` : t('playground.keyHint')}
      placeholder="gk_live_…"
      autoComplete="off"
      data-1p-ignore
      data-lpignore="true"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
      visibilityToggleButtonProps={{ 'aria-label': t('common.showKey') }}
    />
  )
}
