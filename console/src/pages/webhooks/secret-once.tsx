import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/button.tsx'
import { Copy } from '../../design/copy.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Checkbox } from '../../design/field.tsx'
import { Notice } from '../../design/notice.tsx'
import { useLeaveWarning } from '../../design/use-leave-warning.ts'
import styles from './webhooks.module.css'

/** The secret, this once. */
export function SecretOnce({ secret, onDone }: { secret: string | null; onDone: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('webhooks.secretTitle')} isOpen={secret !== null} onClose={onDone} isHeld>
      {secret && <Shown secret={secret} onDone={onDone} />}
    </Dialog>
  )
}

function Shown({ secret, onDone }: { secret: string; onDone: () => void }) {
  const { t } = useTranslation()
  const [isSaved, setSaved] = useState(false)
  useLeaveWarning(!isSaved)
  return (
    <>
      <Notice tone="wait">{t('webhooks.secretOnce')}</Notice>
      <div className={styles.secret}>
        <label htmlFor="webhook-secret">{t('webhooks.secret')}</label>
        <textarea
          id="webhook-secret"
          readOnly
          spellCheck={false}
          value={secret}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Copy text={secret} of={t('webhooks.secret')} onCopied={() => setSaved(true)} isMain={!isSaved} />
      </div>
      <Checkbox
        label={t('webhooks.secretSaved')}
        checked={isSaved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      <DialogActions>
        <Button disabled={!isSaved} onClick={onDone}>
          {t('webhooks.done')}
        </Button>
      </DialogActions>
    </>
  )
}
