import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { refreshBooks } from '../../api/queries.ts'
import type { Key } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Problem } from '../../design/problem.tsx'
import { useFormat } from '../../format/format.ts'

interface RevokeKeyProps {
  readonly revoked: Key | null
  readonly onClose: () => void
  readonly onRevoked: (key: Key) => void
}

export function RevokeKey({ revoked, onClose, onRevoked }: RevokeKeyProps) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('keys.revokeTitle')} isOpen={revoked !== null} onClose={onClose}>
      {revoked && <Confirmation revoked={revoked} onClose={onClose} onRevoked={onRevoked} />}
    </Dialog>
  )
}

interface ConfirmationProps {
  readonly revoked: Key
  readonly onClose: () => void
  readonly onRevoked: (key: Key) => void
}

function Confirmation({ revoked, onClose, onRevoked }: ConfirmationProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { keyId, displayPrefix, lastUsedAt } = revoked
  const revoking = useMutation({
    mutationFn: () => askToWrite(() => gateway.POST('/keys/{keyId}/revoke', { params: { path: { keyId } }, body: {} })),
    onSuccess() {
      onClose()
      onRevoked(revoked)
    },
    // Whatever came of it, the list tells.
    onSettled: () => void refreshBooks(),
  })
  return (
    <>
      <p>{t('keys.revokeHint', { prefix: displayPrefix })}</p>
      {lastUsedAt && <p>{t('keys.revokeUsed', { ago: format.ago(lastUsedAt, Date.now()) })}</p>}
      {revoking.error && <Problem error={revoking.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button isDestructive loading={revoking.isPending} onClick={() => revoking.mutate()}>
          {t('keys.revoke')}
        </Button>
      </DialogActions>
    </>
  )
}
