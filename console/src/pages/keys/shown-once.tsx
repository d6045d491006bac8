import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { CreatedKey } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { Copy } from '../../design/copy.tsx'
import { DialogActions } from '../../design/dialog.tsx'
import { Checkbox } from '../../design/field.tsx'
import { Notice } from '../../design/notice.tsx'
import { useLeaveWarning } from '../../design/use-leave-warning.ts'
import { handedKey } from '../../hand-overs.ts'
import styles from './shown-once.module.css'

/** The text of the key, this once. There is no way out of here before it was saved. */
export function ShownOnce({ created, onDone }: { created: CreatedKey; onDone: () => void }) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [isSaved, setSaved] = useState(false)
  useLeaveWarning(!isSaved)

  return (
    <>
      <Notice tone="wait">{t('keys.once')}</Notice>
      <div className={styles.key}>
        <label htmlFor="plaintext-key">{t('keys.plaintext')}</label>
        <textarea
          id="plaintext-key"
          className={styles.text}
          readOnly
          spellCheck={false}
          value={created.apiKey}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Copy text={created.apiKey} of={t('keys.plaintext')} onCopied={() => setSaved(true)} isMain={!isSaved} />
      </div>
      <Checkbox label={t('keys.saved')} checked={isSaved} onChange={(event) => setSaved(event.currentTarget.checked)} />
      <DialogActions>
        <Button variant="default" disabled={!isSaved} onClick={onDone}>
          {t('keys.finish')}
        </Button>
        <Button
          disabled={!isSaved}
          onClick={() => {
            handedKey.give(created.apiKey)
            onDone()
            navigate('/playground')
          }}
        >
          {t('keys.finishAndTry')}
        </Button>
      </DialogActions>
    </>
  )
}
