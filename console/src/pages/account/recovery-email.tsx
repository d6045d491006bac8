import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isRefused, Unreachable } from '../../api/ask.ts'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { session, useMe } from '../../api/session.ts'
import { Button } from '../../design/button.tsx'
import { Dialog } from '../../design/dialog.tsx'
import { Mark } from '../../design/figures.tsx'
import { News, Problem } from '../../design/notice.tsx'
import { Sheet, stack } from '../../design/page.tsx'
import { isEmail } from '../../format/contact.ts'
import { CodeField, EmailField } from '../auth/parts.tsx'
import { codeFault, useChallenge } from '../auth/use-challenge.ts'
import { useFields } from '../auth/use-fields.ts'
import styles from './account.module.css'
import { CurrentPassword, currentPasswordFault, DialogForm } from './password.tsx'

interface RecoveryEmailProps {
  /** Changes when earlier codes become invalid. */
  readonly codeRound: number
  readonly onChanged: () => void
}

export function RecoveryEmail({ codeRound, onChanged }: RecoveryEmailProps) {
  const { t } = useTranslation()
  const { recoveryEmailMasked, recoveryEmailState } = useMe().account
  const [isChanging, setChanging] = useState(false)
  const [news, setNews] = useState<EmailNews | null>(null)
  const isVerified = recoveryEmailState === 'verified'

  return (
    <Sheet
      title={t('account.email')}
      actions={
        <Button variant="default" size="compact-sm" onClick={() => setChanging(true)}>
          {t('account.changeEmail')}
        </Button>
      }
    >
      <div className={stack}>
        {news && <News key={`${news.name} ${news.codeRound}`}>{t(`account.${news.name}`)}</News>}
        <div>
          <p className={styles.address}>
            <span>{recoveryEmailMasked}</span>
            <Mark tone={isVerified ? 'good' : 'wait'}>
              {t(isVerified ? 'account.emailVerified' : 'account.emailPending')}
            </Mark>
          </p>
          <p className={styles.note}>{t(isVerified ? 'account.emailVerifiedHint' : 'account.emailPendingHint')}</p>
        </div>
        {!isVerified && (
          <VerifyEmail key={codeRound} onVerified={() => setNews({ name: 'emailVerifiedNews', codeRound })} />
        )}
      </div>
      <ChangeEmail
        isOpen={isChanging}
        onClose={() => setChanging(false)}
        onChanged={() => {
          onChanged()
          setNews({ name: 'emailChangedNews', codeRound })
        }}
      />
    </Sheet>
  )
}

interface EmailNews {
  readonly name: 'emailVerifiedNews' | 'emailChangedNews'
  /** Distinguishes identical messages. */
  readonly codeRound: number
}

interface ChangeEmailProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onChanged: () => void
}

function ChangeEmail({ isOpen, onClose, onChanged }: ChangeEmailProps) {
  const { t } = useTranslation()
  const done = () => {
    onClose()
    onChanged()
  }
  return (
    <Dialog title={t('account.changeEmailTitle')} isOpen={isOpen} onClose={onClose}>
      <EmailForm onClose={onClose} onDone={done} />
    </Dialog>
  )
}

function EmailForm({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation()
  const { form, values, change, faultOf, ...fields } = useFields(() => ({ email: '', current: '' }), {
    EMAIL_INVALID: 'email',
    AUTHENTICATION_FAILED: { field: 'current', fault: 'passwordWrong' },
    PASSWORD_INVALID: { field: 'current', fault: 'passwordWrong' },
  })
  const changing = useMutation({
    mutationFn: () =>
      askToWrite(() =>
        gateway.POST('/console/recovery-email', {
          body: { recoveryEmail: values.email.trim(), password: values.current },
        }),
      ),
    async onSuccess() {
      await session.changed()
      onDone()
    },
  })

  function submit(): void {
    const isRight = fields.check({
      email: isEmail(values.email) ? null : 'emailWrong',
      current: currentPasswordFault(values.current),
    })
    if (isRight) changing.mutate(undefined, { onError: fields.refuse })
  }

  return (
    <DialogForm
      form={form}
      hint={t('account.changeEmailHint')}
      action={t('account.changeEmail')}
      isSending={changing.isPending}
      error={fields.elsewhere(changing.error)}
      onSubmit={submit}
      onCancel={onClose}
    >
      <EmailField
        label={t('account.newEmail')}
        value={values.email}
        onChange={change('email')}
        error={faultOf('email')}
      />
      <CurrentPassword value={values.current} onChange={change('current')} error={faultOf('current')} />
    </DialogForm>
  )
}

function VerifyEmail({ onVerified }: { onVerified: () => void }) {
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
    // It may already be verified, here or in another tab.
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
