import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { TotpSecret } from '../../design/totp-secret.tsx'
import { CurrentPassword, currentPasswordFault, DialogForm } from '../account/password.tsx'
import { useFields } from '../auth/use-fields.ts'
import { FactorCodeField, useFactorCode } from './factor-code.tsx'

interface SetUpAppProps {
  readonly onClose: () => void
  /** With the recovery codes, if there are new ones. */
  readonly onDone: (codes: readonly string[] | null) => void
}

/** The password, then the secret, then a first code. */
export function SetUpApp({ onClose, onDone }: SetUpAppProps) {
  const [uri, setUri] = useState<string | null>(null)
  return uri === null ? (
    <AskPassword onClose={onClose} onShown={setUri} />
  ) : (
    <ConfirmApp uri={uri} onClose={onClose} onDone={onDone} />
  )
}

function AskPassword({ onClose, onShown }: { onClose: () => void; onShown: (uri: string) => void }) {
  const { t } = useTranslation()
  const { form, values, change, faultOf, ...fields } = useFields(() => ({ current: '' }), {
    AUTHENTICATION_FAILED: { field: 'current', fault: 'passwordWrong' },
    PASSWORD_INVALID: { field: 'current', fault: 'passwordWrong' },
  })
  const asking = useMutation({
    mutationFn: () =>
      askToWrite(() => gateway.POST('/console/second-factor/totp', { body: { password: values.current } })),
    onSuccess: ({ totpUri }) => onShown(totpUri),
  })
  return (
    <DialogForm
      form={form}
      hint={t('secondFactor.setUpHint')}
      action={t('secondFactor.next')}
      isSending={asking.isPending}
      error={fields.elsewhere(asking.error)}
      onSubmit={() => {
        if (fields.check({ current: currentPasswordFault(values.current) }))
          asking.mutate(undefined, { onError: fields.refuse })
      }}
      onCancel={onClose}
    >
      <CurrentPassword value={values.current} onChange={change('current')} error={faultOf('current')} />
    </DialogForm>
  )
}

function ConfirmApp({ uri, onClose, onDone }: SetUpAppProps & { uri: string }) {
  const { t } = useTranslation()
  const proof = useFactorCode(
    (code) => askToWrite(() => gateway.POST('/console/second-factor/totp/confirm', { body: { code } })),
    ({ recoveryCodes }) => onDone(recoveryCodes),
  )
  const [qrCode, scan, byHand] = [t('secondFactor.qrCode'), t('secondFactor.scan'), t('secondFactor.byHand')]
  return (
    <DialogForm
      form={proof.form}
      hint={t('secondFactor.offHint')}
      action={t('secondFactor.turnOn')}
      isSending={proof.isSending}
      error={proof.error}
      onSubmit={proof.submit}
      onCancel={onClose}
    >
      <TotpSecret uri={uri} words={{ qrCode, scan, byHand }} />
      <FactorCodeField
        label={t('secondFactor.firstCode')}
        hint=""
        value={proof.code}
        onChange={proof.change}
        error={proof.fault}
      />
    </DialogForm>
  )
}
