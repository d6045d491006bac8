import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearch } from 'wouter'
import { ask, isRefused } from '../../api/ask.ts'
import { gateway } from '../../api/gateway.ts'
import { session, useSession } from '../../api/session.ts'
import { Button } from '../../design/button.tsx'
import { PasswordField, TextInput } from '../../design/field.tsx'
import { Notice, Problem } from '../../design/notice.tsx'
import { identifierOf, passwordFault } from '../../format/contact.ts'
import { handedCredentials, handedIdentifier } from '../../handoff.ts'
import { addWords } from '../../i18n/i18n.ts'
import * as words from '../second-factor/words.ts'
import { AuthLayout } from './parts.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { SecondStep } from './second-step.tsx'
import { useFields } from './use-fields.ts'

addWords(words)

const notices = { expired: 'expired', 'signed-out': 'signedOut', everywhere: 'everywhere' } as const

export function SignIn() {
  const { t } = useTranslation()
  const search = useSearch()
  const withSearch = (path: string) => (search ? `${path}?${search}` : path)
  const current = useSession()
  const reason = current.phase === 'out' ? current.reason : 'none'
  const handed = handedCredentials.useGiven()
  const typedBefore = handedIdentifier.useGiven()
  const { form, values, change, faultOf, ...fields } = useFields(
    () => ({ identifier: handed?.identifier ?? typedBefore ?? '', password: handed?.password ?? '' }),
    { IDENTIFIER_INVALID: 'identifier', PASSWORD_INVALID: 'password' },
  )
  const { identifier, password } = values
  const [step, setStep] = useState<'password' | 'factor'>('password')
  /** Why the second step ended. */
  const [late, setLate] = useState<Error | null>(null)
  const signingIn = useMutation({
    mutationFn: () =>
      ask(() => gateway.POST('/auth/login', { body: { identifier: identifierOf(identifier), password } })),
    onSuccess: (response) => session.started(response),
    onError(error) {
      if (isRefused(error, 'SECOND_FACTOR_REQUIRED')) setStep('factor')
      else fields.refuse(error)
    },
  })
  const error = late ?? fields.elsewhere(signingIn.error)
  if (step === 'factor')
    return (
      <SecondStep
        onBack={(expired) => {
          signingIn.reset()
          setLate(expired)
          setStep('password')
        }}
      />
    )

  return (
    <AuthLayout title={t('auth.signIn.title')} lead={t('auth.signIn.lead')}>
      {reason !== 'none' && !handed && !signingIn.error && (
        <Notice tone={reason === 'expired' ? 'wait' : 'plain'} isNews>
          {t(`auth.signIn.${notices[reason]}`)}
        </Notice>
      )}
      {handed && !signingIn.error && <Notice>{t(`auth.signIn.${handed.notice}`)}</Notice>}
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          const isRight = fields.check({
            identifier: identifier.trim() === '' ? 'required' : null,
            password: passwordFault(password),
          })
          setLate(null)
          if (isRight) signingIn.mutate()
        }}
        noValidate
      >
        <TextInput
          label={t('auth.signIn.identifier')}
          description={t('auth.signIn.identifierHint')}
          autoComplete="username"
          name="identifier"
          value={identifier}
          onChange={(event) => change('identifier')(event.currentTarget.value)}
          error={faultOf('identifier')}
          required
        />
        <PasswordField
          label={t('auth.signIn.password')}
          autoComplete="current-password"
          name="password"
          value={password}
          onChange={(event) => change('password')(event.currentTarget.value)}
          error={faultOf('password')}
        />
        {error && <Problem error={error} />}
        <Button type="submit" size="md" loading={signingIn.isPending}>
          {t('auth.signIn.submit')}
        </Button>
      </form>
      <PasskeySignIn />
      <p>
        <Link href={withSearch('/recover')} onClick={() => handedIdentifier.give(identifier)}>
          {t('auth.signIn.toRecover')}
        </Link>
      </p>
      <p>
        {t('auth.signIn.toRegister')}{' '}
        <Link href={withSearch('/register')} onClick={() => handedIdentifier.give(identifier)}>
          {t('auth.signIn.toRegisterLink')}
        </Link>
      </p>
    </AuthLayout>
  )
}
