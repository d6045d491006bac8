import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { session } from '../../api/session.ts'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Problem } from '../../design/problem.tsx'

export function SignOutEverywhere() {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const leaving = useMutation({ mutationFn: session.signOutEverywhere })
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setAsking(true)}>
        {t('account.signOutEverywhere')}
      </Button>
      <Dialog title={t('account.everywhereTitle')} isOpen={isAsking} onClose={() => setAsking(false)}>
        <p>{t('account.everywhereHint')}</p>
        {leaving.error && <Problem error={leaving.error} />}
        <DialogActions>
          <Button variant="default" onClick={() => setAsking(false)}>
            {t('common.cancel')}
          </Button>
          <Button isDestructive loading={leaving.isPending} onClick={() => leaving.mutate()}>
            {t('account.signOutEverywhere')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
