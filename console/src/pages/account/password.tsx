import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/button.tsx'
import { News } from '../../design/news.tsx'
import { Sheet } from '../../design/sheet.tsx'
import styles from './account.module.css'
import { ChangePassword } from './change-password.tsx'

export function Password({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation()
  const [isChanging, setChanging] = useState(false)
  const [changes, setChanges] = useState(0)
  return (
    <Sheet
      title={t('account.password')}
      actions={
        <Button variant="default" size="compact-sm" onClick={() => setChanging(true)}>
          {t('account.changePassword')}
        </Button>
      }
    >
      <div className={styles.stack}>
        {changes > 0 && <News key={changes}>{t('account.passwordChangedNews')}</News>}
        <p className={styles.note}>{t('account.passwordHint')}</p>
      </div>
      <ChangePassword
        isOpen={isChanging}
        onClose={() => setChanging(false)}
        onChanged={() => {
          onChanged()
          setChanges((before) => before + 1)
        }}
      />
    </Sheet>
  )
}
