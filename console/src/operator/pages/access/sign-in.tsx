import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ask, isRefused } from '../../../api/ask.ts'
import { Button } from '../../../design/button.tsx'
import { PasswordField, TextInput } from '../../../design/field.tsx'
import { Entrance, Opening } from '../../../design/frame.tsx'
import { Notice, Problem } from '../../../design/notice.tsx'
import { operatorApi } from '../../api/client.ts'
import { operatorSession, useOperatorSession } from '../../api/session.ts'
import styles from './access.module.css'

export function OperatorSignIn() {
  const { t } = useTranslation()
  const current = useOperatorSession()
  const reason = current.phase === 'out' ? current.reason : 'none'
  return (
    <Entrance title={t('operator.signIn.title')} lead={t('operator.signIn.lead')}>
      {reason !== 'none' && (
        <Notice tone={reason === 'expired' ? 'wait' : 'plain'} isNews>
          {t(reason === 'expired' ? 'operator.signIn.expired' : 'operator.signIn.signedOut')}
        </Notice>
      )}
      <SignInForm />
      <p className={styles.note}>
        {t('operator.signIn.noAccount')} <code>npm run gateway -- operators add NAME --role ROLE</code>
      </p>
    </Entrance>
  )
}

let exchange: Promise<unknown> | undefined

/** The token works once, so it is sent once even if React repeats the effect. */
const exchangeOnce = (token: string): Promise<unknown> => {
  exchange ??= ask(() => operatorApi.POST('/sign-in', { body: { token } })).then(operatorSession.started)
  return exchange
}

/** Exchanges the token of a one-time link for a session. */
export function LinkSignIn({ token }: { token: string }) {
  const { t } = useTranslation()
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    exchangeOnce(token).catch(setError)
  }, [token])
  if (error === null) return <Opening />
  return (
    <Entrance title={t('operator.signIn.title')} lead={t('operator.signIn.lead')}>
      <Problem error={error} title={t('operator.signIn.linkTitle')} />
      <SignInForm />
    </Entrance>
  )
}

const fields = ['name', 'password', 'totp'] as const
type Field = (typeof fields)[number]

function SignInForm() {
  const { t } = useTranslation()
  const [values, setValues] = useState<Record<Field, string>>({ name: '', password: '', totp: '' })
  const [missing, setMissing] = useState<readonly Field[]>([])
  const signingIn = useMutation({
    mutationFn: () =>
      ask(() =>
        operatorApi.POST('/sign-in', {
          body: { name: values.name.trim(), password: values.password, ...(values.totp && { totp: values.totp }) },
        }),
      ),
    onSuccess: (response) => operatorSession.started(response),
  })
  const { error } = signingIn
  const needsTotp = isRefused(error, 'TOTP_REQUIRED') && values.totp === ''
  const set = (field: Field) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setValues({ ...values, [field]: field === 'totp' ? digitsOf(value) : value })
    setMissing(missing.filter((name) => name !== field))
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const empty = (['name', 'password'] as const).filter((field) => values[field].trim() === '')
    setMissing(empty)
    if (empty[0]) return event.currentTarget.querySelector<HTMLInputElement>(`[name=${empty[0]}]`)?.focus()
    const form = event.currentTarget
    signingIn.mutate(undefined, {
      onError: (refusal) => {
        if (isRefused(refusal, 'TOTP_REQUIRED')) form.querySelector<HTMLInputElement>('[name=totp]')?.focus()
      },
    })
  }

  const common = (field: Field) => ({
    name: field,
    value: values[field],
    onChange: set(field),
    error: missing.includes(field) && t('common.required'),
  })
  return (
    <form onSubmit={submit} noValidate>
      <TextInput {...common('name')} label={t('operator.signIn.name')} autoComplete="username" required />
      <PasswordField {...common('password')} label={t('operator.signIn.password')} autoComplete="current-password" />
      <TextInput
        {...common('totp')}
        label={t('operator.signIn.totp')}
        description={t('operator.signIn.totpHint')}
        inputMode="numeric"
        autoComplete="one-time-code"
        error={needsTotp && t('operator.signIn.totpNeeded')}
      />
      {error && !isRefused(error, 'TOTP_REQUIRED') && <Problem error={error} />}
      <Button type="submit" size="md" loading={signingIn.isPending}>
        {t('operator.signIn.submit')}
      </Button>
    </form>
  )
}

/** A pasted code may contain spaces. */
export const digitsOf = (text: string) => text.normalize('NFKC').replace(/\D/g, '').slice(0, 6)
