import { useTranslation } from 'react-i18next'
import { lengthOf, strengthOf, strengths } from '../../format/password-rule.ts'
import { Bar } from '../bar.tsx'
import { PasswordField } from '../field.tsx'
import styles from './new-password.module.css'
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
          <Bar
            percent={(step + 1) * 25}
            tone={step < 1 ? 'bad' : step < 2 ? 'wait' : 'good'}
            label={t('auth.register.strength')}
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
