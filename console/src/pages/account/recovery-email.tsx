import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../api/session.ts'
import { Button } from '../../design/button.tsx'
import { News } from '../../design/news.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { Mark } from '../../design/state-mark.tsx'
import styles from './account.module.css'
import { ChangeEmail } from './change-email.tsx'
import { VerifyEmail } from './verify-email.tsx'

interface RecoveryEmailProps {
  /** Another number begins anew: earlier codes are worth nothing. */
  readonly codeRound: number
  readonly onChanged: () => void
}

/** The recovery email: whether it is verified, how to verify it, and how to change it. */
export function RecoveryEmail({ codeRound, onChanged }: RecoveryEmailProps) {
  const { t } = useTranslation()
  const { recoveryEmailMasked, recoveryEmailState } = useMe().account
  const [isChanging, setChanging] = useState(false)
  const [news, setNews] = useState<EmailNews | null>(null)
  const isVerified = recoveryEmailState === 'verified'

  return (
    <Sheet
      title={t('account.email')}
      actions={
        <Button variant="default" size="compact-sm" onClick={() => setChanging(true)}>
          {t('account.changeEmail')}
        </Button>
      }
    >
      <div className={styles.stack}>
        {news && <News key={`${news.name} ${news.codeRound}`}>{t(`account.${news.name}`)}</News>}
        <div>
          <p className={styles.address}>
            <span>{recoveryEmailMasked}</span>
            <Mark tone={isVerified ? 'good' : 'wait'}>
              {t(isVerified ? 'account.emailVerified' : 'account.emailPending')}
            </Mark>
          </p>
          <p className={styles.note}>{t(isVerified ? 'account.emailVerifiedHint' : 'account.emailPendingHint')}</p>
        </div>
        {!isVerified && (
          <VerifyEmail key={codeRound} onVerified={() => setNews({ name: 'emailVerifiedNews', codeRound })} />
        )}
      </div>
      <ChangeEmail
        isOpen={isChanging}
        onClose={() => setChanging(false)}
        onChanged={() => {
          onChanged()
          setNews({ name: 'emailChangedNews', codeRound })
        }}
      />
    </Sheet>
  )
}

interface EmailNews {
  readonly name: 'emailVerifiedNews' | 'emailChangedNews'
  /** Tells two alike apart. */
  readonly codeRound: number
}
