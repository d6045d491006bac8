import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/button.tsx'
import { Dialog, DialogActions } from '../../../design/dialog.tsx'
import { Checkbox } from '../../../design/field.tsx'
import { Notice } from '../../../design/notice.tsx'
import { useLeaveWarning } from '../../../design/use-leave-warning.ts'
import type { NewOperator } from '../../api/types.ts'
import { Secret } from '../../parts/secret.tsx'
import { TotpSecret } from '../../parts/totp-secret.tsx'

/** The first password and the secret of the one-time codes, this once. There is no way out before they were passed on. */
export function NewSignIn({ created, onDone }: { created: NewOperator | null; onDone: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('operator.operators.newTitle', { name: created?.name ?? '' })}
      isOpen={created !== null}
      onClose={onDone}
      isHeld
    >
      {created && <ShownOnce created={created} onDone={onDone} />}
    </Dialog>
  )
}

function ShownOnce({ created, onDone }: { created: NewOperator; onDone: () => void }) {
  const { t } = useTranslation()
  const [isSaved, setSaved] = useState(false)
  useLeaveWarning(!isSaved)
  return (
    <>
      <Notice tone="wait">{t('operator.secret.once')}</Notice>
      {created.state === 'pending' && (
        <Notice tone="wait">{t('operator.operators.newPending', { name: created.name })}</Notice>
      )}
      <Secret
        label={`${t('operator.secret.password')} (${t('operator.secret.passwordHint')})`}
        text={created.password}
      />
      <TotpSecret uri={created.totpUri} />
      <Checkbox
        label={t('operator.secret.saved')}
        checked={isSaved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      <DialogActions>
        <Button disabled={!isSaved} onClick={onDone}>
          {t('operator.secret.done')}
        </Button>
      </DialogActions>
    </>
  )
}
