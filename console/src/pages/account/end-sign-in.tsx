import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { queryClient, signInsQuery } from '../../api/queries.ts'
import { isRefused } from '../../api/refusal.ts'
import type { SignIn } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Problem } from '../../design/problem.tsx'
import { useFormat } from '../../format/format.ts'

interface EndSignInProps {
  readonly ending: SignIn | null
  readonly onClose: () => void
  readonly onEnded: (signIn: SignIn) => void
}

export function EndSignIn({ ending, onClose, onEnded }: EndSignInProps) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('account.endTitle')} isOpen={ending !== null} onClose={onClose}>
      {ending && <Confirmation ending={ending} onClose={onClose} onEnded={onEnded} />}
    </Dialog>
  )
}

interface ConfirmationProps {
  readonly ending: SignIn
  readonly onClose: () => void
  readonly onEnded: (signIn: SignIn) => void
}

function Confirmation({ ending, onClose, onEnded }: ConfirmationProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const ends = useMutation({
    mutationFn: () => endSession(ending.sessionId),
    onSuccess() {
      onClose()
      onEnded(ending)
    },
    // Whatever came of it, the list tells.
    onSettled: () => void queryClient.invalidateQueries(signInsQuery),
  })
  return (
    <>
      <p>{t('account.endHint', { time: format.dateTime(ending.createdAt) })}</p>
      {ends.error && <Problem error={ends.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button isDestructive loading={ends.isPending} onClick={() => ends.mutate()}>
          {t('account.end')}
        </Button>
      </DialogActions>
    </>
  )
}

async function endSession(sessionId: string): Promise<void> {
  const send = () => gateway.POST('/console/sessions/{sessionId}/end', { params: { path: { sessionId } }, body: {} })
  await askToWrite(send).catch((error) => {
    // It was over before: that is what was asked for.
    if (!isRefused(error, 'NOT_FOUND')) throw error
  })
}
