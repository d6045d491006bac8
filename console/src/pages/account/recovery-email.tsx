import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../api/session.ts'
import { News } from '../../design/news.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { Mark } from '../../design/state-mark.tsx'
import styles from './account.module.css'
import { ChangeEmail } from './change-email.tsx'
import { VerifyEmail } from './verify-email.tsx'

/** The recovery email: whether it is verified, how to verify it, and how to change it. */
export function RecoveryEmail() {
  const { t } = useTranslation()
  const { recoveryEmailMasked, recoveryEmailState } = useMe().account
  const [isChanging, setChanging] = useState(false)
  const [changes, setChanges] = useState(0)
  const [news, setNews] = useState<'emailVerifiedNews' | 'emailChangedNews' | null>(null)
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
        {news && <News key={`${news} ${changes}`}>{t(`account.${news}`)}</News>}
        <div>
          <p className={styles.address}>
            <span>{recoveryEmailMasked}</span>
            <Mark tone={isVerified ? 'good' : 'wait'}>
              {t(isVerified ? 'account.emailVerified' : 'account.emailPending')}
            </Mark>
          </p>
          <p className={styles.note}>{t(isVerified ? 'account.emailVerifiedHint' : 'account.emailPendingHint')}</p>
        </div>
        {/* Another address begins anew: a code belongs to the one it was sent to. */}
        {!isVerified && <VerifyEmail key={changes} onVerified={() => setNews('emailVerifiedNews')} />}
      </div>
      <ChangeEmail
        isOpen={isChanging}
        onClose={() => setChanging(false)}
        onChanged={() => {
          setChanges((before) => before + 1)
          setNews('emailChangedNews')
        }}
      />
    </Sheet>
  )
}
