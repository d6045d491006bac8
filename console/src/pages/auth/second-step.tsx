import { useTranslation } from 'react-i18next'
import { ask, isRefused } from '../../api/ask.ts'
import { gateway } from '../../api/gateway.ts'
import { session } from '../../api/session.ts'
import { Button } from '../../design/button.tsx'
import { Problem } from '../../design/notice.tsx'
import { FactorCodeField, useFactorCode } from '../second-factor/factor-code.tsx'
import { AuthLayout } from './parts.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'

/** The second step of a sign-in, once the password was right. A separate page, so that its heading takes the focus. */
export function SecondStep({ onBack }: { onBack: (error: Error | null) => void }) {
  const { t } = useTranslation()
  const proof = useFactorCode(
    (code) =>
      ask(() => gateway.POST('/auth/second-factor', { body: { code } })).catch((error) => {
        // It took too long: the password is asked for again.
        if (isRefused(error, 'SIGN_IN_EXPIRED')) onBack(error)
        throw error
      }),
    (response) => session.started(response),
  )
  return (
    <AuthLayout title={t('secondFactor.signInTitle')} lead={t('secondFactor.signInLead')}>
      <form
        ref={proof.form}
        onSubmit={(event) => {
          event.preventDefault()
          proof.submit()
        }}
        noValidate
      >
        <FactorCodeField value={proof.code} onChange={proof.change} error={proof.fault} />
        {proof.error && <Problem error={proof.error} />}
        <Button type="submit" size="md" loading={proof.isSending}>
          {t('secondFactor.submit')}
        </Button>
      </form>
      <PasskeySignIn />
      <p>{t('secondFactor.lost')}</p>
      <p>
        <Button variant="subtle" size="compact-sm" onClick={() => onBack(null)}>
          {t('secondFactor.back')}
        </Button>
      </p>
    </AuthLayout>
  )
}
