import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/button.tsx'
import { Dialog, DialogActions } from '../../../design/dialog.tsx'
import { useFormat } from '../../../format/format.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import type { Account, AccountRecovery } from '../../api/types.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { Secret } from '../../parts/secret.tsx'

/** Sends the customer a code, and shows the link where they use it. Neither is worth anything without the other. */
export function RecoverButton({ account: { accountId, phoneMasked: name } }: { account: Account }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [recovery, setRecovery] = useState<AccountRecovery | null>(null)
  return (
    <>
      <ActionButton
        size="sm"
        label={t('operator.accounts.recover')}
        title={t('operator.accounts.recoverTitle', { name })}
        hint={t('operator.accounts.recoverHint')}
        send={(reason) =>
          askToWrite(() =>
            operatorApi.POST('/accounts/{accountId}/recover', { params: { path: { accountId } }, body: { reason } }),
          )
        }
        onDone={(answer) => setRecovery(answer.recovery)}
      />
      <Dialog
        title={t('operator.accounts.recovered', { name })}
        isOpen={recovery !== null}
        onClose={() => setRecovery(null)}
        isHeld
      >
        {recovery && (
          <>
            <p>{t('operator.accounts.recoveredHint', { time: format.dateTime(recovery.expiresAt) })}</p>
            <Secret label={t('operator.accounts.recoveryLink')} text={recovery.link} />
          </>
        )}
        <DialogActions>
          <Button onClick={() => setRecovery(null)}>{t('operator.secret.done')}</Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
