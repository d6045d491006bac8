import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lengthOf, passwordFault, strengthOf, strengths } from '../format/contact.ts'
import { PasswordField } from './field.tsx'
import { Bar } from './figures.tsx'
import styles from './new-password.module.css'

interface NewPasswordProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | null
  /** Words that a guesser would try first, such as the user's name. */
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
      {/* Always rendered, because screen readers announce only changes of existing live regions. */}
      <p role="status" className={styles.common ?? ''}>
        {isCommon && !error && t('auth.register.passwordCommon')}
      </p>
    </div>
  )
}

/** Whether the password is a common one. The list loads once enough is typed; if it fails to load, there is no warning. */
function useCommonPassword(password: string): boolean {
  const [common, setCommon] = useState<string | null>(null)
  useEffect(() => {
    if (passwordFault(password)) return
    let isCurrent = true
    import('../../../src/features/identity/accounts/common-passwords.ts')
      .then(({ isCommonPassword }) => isCurrent && setCommon(isCommonPassword(password) ? password : null))
      .catch(() => {})
    return () => {
      isCurrent = false
    }
  }, [password])
  return common === password
}
