import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { isRefused, Unreachable } from '../../api/refusal.ts'
import { session, useMe } from '../../api/session.ts'
import { Button } from '../../design/button.tsx'
import { Problem } from '../../design/problem.tsx'
import { CodeField } from '../auth/code-field.tsx'
import { codeFault, useChallenge } from '../auth/use-challenge.ts'
import { useFields } from '../auth/use-fields.ts'
import styles from './account.module.css'

/** Proves the address with a code that was sent to it. */
export function VerifyEmail({ onVerified }: { onVerified: () => void }) {
  const { t } = useTranslation()
  const { accountId, recoveryEmailMasked: email } = useMe().account
  const codeInput = useRef<HTMLInputElement>(null)
  const { form, values, change, faultOf, ...fields } = useFields(() => ({ code: '' }), {
    VERIFICATION_FAILED: 'code',
    ACCOUNT_UNAVAILABLE: { field: 'code', fault: 'emailTaken' },
  })
  const challenge = useChallenge({
    purpose: 'email',
    contact: `${accountId} ${email}`,
    request: () => askToWrite(() => gateway.POST('/console/recovery-email/send-code', { body: {} })),
  })
  const verifying = useMutation({
    mutationFn: (challengeId: string) =>
      askToWrite(() =>
        gateway.POST('/console/recovery-email/verify', { body: { challengeId, verificationCode: values.code } }),
      ),
    onSuccess() {
      challenge.forget()
      onVerified()
      return session.changed()
    },
  })

  function onError(error: Error) {
    fields.refuse(error)
    // It may be verified already, from here or from another tab.
    if (isRefused(error, 'VERIFICATION_CONFLICT') || error instanceof Unreachable) void session.refresh()
  }

  const sendingError = challenge.error
  const error = fields.elsewhere(verifying.error)
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        const isRight = fields.check({ code: codeFault(challenge, values.code) })
        if (isRight) verifying.mutate(challenge.challengeId!, { onError })
      }}
      noValidate
    >
      <CodeField
        inputRef={codeInput}
        label={t('account.emailCode')}
        hint={t('account.emailCodeHint')}
        sentText={t('account.emailCodeSent', { email })}
        value={values.code}
        onChange={change('code')}
        error={faultOf('code')}
        challenge={challenge}
        onSend={() => {
          fields.check({})
          challenge.send({ onSuccess: () => codeInput.current?.focus(), onError })
        }}
      />
      {sendingError && <Problem error={sendingError} />}
      {error && <Problem error={error} />}
      <div>
        <Button type="submit" loading={verifying.isPending}>
          {t('account.verifyEmail')}
        </Button>
      </div>
    </form>
  )
}
