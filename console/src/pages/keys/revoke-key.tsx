import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { refreshBooks } from '../../api/queries.ts'
import type { Key } from '../../api/types.ts'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Problem } from '../../design/problem.tsx'
import { useFormat } from '../../format/format.ts'

export function RevokeKey({ revoked, onClose }: { revoked: Key | null; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('keys.revokeTitle')} isOpen={revoked !== null} onClose={onClose}>
      {revoked && <Confirmation revoked={revoked} onClose={onClose} />}
    </Dialog>
  )
}

function Confirmation({ revoked, onClose }: { revoked: Key; onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { keyId, displayPrefix, lastUsedAt } = revoked
  const revoking = useMutation({
    mutationFn: () => askToWrite(() => gateway.POST('/keys/{keyId}/revoke', { params: { path: { keyId } }, body: {} })),
    onSuccess: onClose,
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
          {t('keys.revokeKeep')}
        </Button>
        <Button color="brick" loading={revoking.isPending} onClick={() => revoking.mutate()}>
          {t('keys.revoke')}
        </Button>
      </DialogActions>
    </>
  )
}
