import { Progress } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { lengthOf, strengthOf, strengths } from '../../format/password-rule.ts'
import styles from './new-password.module.css'
import { PasswordField } from './password-field.tsx'
import { useCommonPassword } from './use-common-password.ts'

interface NewPasswordProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | null
  /** What a guesser would try first. */
  readonly known: readonly string[]
}

export function NewPassword({ label, value, onChange, error, known }: NewPasswordProps) {
  const { t } = useTranslation()
  const meter = useId()
  const isCommon = useCommonPassword(value)
  const strength = isCommon ? 'weak' : strengthOf(value, known)
  const step = strengths.indexOf(strength)
  return (
    <div>
      <PasswordField
        label={label}
        description={t('auth.register.passwordRule')}
        autoComplete="new-password"
        name="password"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
      />
      {value !== '' && (
        <div className={styles.strength}>
          <Progress
            id={meter}
            value={(step + 1) * 25}
            size="xs"
            color={step < 1 ? 'brick' : step < 2 ? 'amber' : 'ledger'}
            aria-label={t('auth.register.strength')}
            className={styles.meter ?? ''}
          />
          <span role="status">{t(`auth.register.strengths.${strength}`)}</span>
          <span className={styles.count}>{t('auth.register.passwordCount', { count: lengthOf(value) })}</span>
        </div>
      )}
      {/* Always there, so that a screen reader announces what appears in it. */}
      <p role="status" className={styles.common ?? ''}>
        {isCommon && !error && t('auth.register.passwordCommon')}
      </p>
    </div>
  )
}
