import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { gateway, token } from '../../api/gateway.ts'
import { passkeysQuery, queryClient, secondFactorQuery } from '../../api/queries.ts'
import { stepUp } from '../../api/step-up-prompt.ts'
import { Dialog } from '../../design/dialog.tsx'
import { addWords } from '../../i18n/i18n.ts'
import { DialogForm } from '../account/password.tsx'
import { FactorCodeField, useFactorCode } from './factor-code.tsx'
import { askAuthenticator } from './passkey-browser.ts'
import { PasskeyButton } from './passkey-button.tsx'
import * as words from './words.ts'

addWords(words)

/** Asks for the second factor that a pending change needs. */
export function StepUp() {
  const { t } = useTranslation()
  const giveUp = () => stepUp.answer(false)
  return (
    <Dialog title={t('secondFactor.stepUpTitle')} isOpen onClose={giveUp}>
      <Question onCancel={giveUp} />
    </Dialog>
  )
}

function onProven(): void {
  stepUp.answer(true)
  void queryClient.invalidateQueries(secondFactorQuery)
}

async function provePasskey() {
  const options = await token.askToWrite(() => gateway.POST('/console/second-factor/passkeys/ask', { body: {} }))
  const body = await askAuthenticator(options)
  return token.askToWrite(() => gateway.POST('/console/second-factor/passkeys/prove', { body }))
}

function Question({ onCancel }: { onCancel: () => void }) {
  const { t } = useTranslation()
  const hasPasskey = (useQuery(passkeysQuery).data?.items.length ?? 0) > 0
  const proof = useFactorCode(
    (code) => token.askToWrite(() => gateway.POST('/console/second-factor/prove', { body: { code } })),
    onProven,
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
      {hasPasskey && <PasskeyButton label={t('secondFactor.passkeyProve')} prove={provePasskey} onProven={onProven} />}
      <FactorCodeField value={proof.code} onChange={proof.change} error={proof.fault} />
    </DialogForm>
  )
}
