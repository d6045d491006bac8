import { useTranslation } from 'react-i18next'
import { gateway, token } from '../../api/gateway.ts'
import { queryClient, secondFactorQuery } from '../../api/queries.ts'
import { stepUp } from '../../api/step-up.ts'
import { Dialog } from '../../design/dialog.tsx'
import { DialogForm } from '../account/password.tsx'
import { FactorCodeField, useFactorCode } from './factor-code.tsx'

/** Asks for the second factor, so that a change that waits for it can go on. */
export function StepUp() {
  const { t } = useTranslation()
  const giveUp = () => stepUp.answer(false)
  return (
    <Dialog title={t('secondFactor.stepUpTitle')} isOpen onClose={giveUp}>
      <Question onCancel={giveUp} />
    </Dialog>
  )
}

function Question({ onCancel }: { onCancel: () => void }) {
  const { t } = useTranslation()
  const proof = useFactorCode(
    (code) => token.askToWrite(() => gateway.POST('/console/second-factor/prove', { body: { code } })),
    () => {
      stepUp.answer(true)
      void queryClient.invalidateQueries(secondFactorQuery)
    },
  )
  return (
    <DialogForm
      form={proof.form}
      hint={t('secondFactor.stepUpHint')}
      action={t('secondFactor.submit')}
      isSending={proof.isSending}
      error={proof.error}
      onSubmit={proof.submit}
      onCancel={onCancel}
    >
      <FactorCodeField value={proof.code} onChange={proof.change} error={proof.fault} />
    </DialogForm>
  )
}
