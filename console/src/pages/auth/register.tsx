import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearch } from 'wouter'
import { isRefused, Unreachable } from '../../api/refusal.ts'
import { Notice } from '../../design/notice.tsx'
import { NewPassword } from '../../design/password/new-password.tsx'
import { Problem } from '../../design/problem.tsx'
import { phoneOf } from '../../format/phone.ts'
import { useSentence } from '../../format/use-sentence.ts'
import { handedCredentials } from '../../hand-overs.ts'
import { AuthLayout } from './auth-layout.tsx'
import { CodeField } from './code-field.tsx'
import { useRegistration } from './use-registration.ts'

export function Register() {
  const { t } = useTranslation()
  const search = useSearch()
  const sentence = useSentence()
  const codeInput = useRef<HTMLInputElement>(null)
  const { values, challenge, change, faultOf, ...registration } = useRegistration()
  const isPhoneRefused = isRefused(challenge.error, 'PHONE_INVALID')
  const signInPath = search ? `/sign-in?${search}` : '/sign-in'

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const wrong = registration.submit()
    if (wrong) event.currentTarget.querySelector<HTMLInputElement>(`[name=${wrong}]`)?.focus()
  }

  return (
    <AuthLayout title={t('auth.register.title')} lead={t('auth.register.lead')}>
      <form onSubmit={submit} noValidate>
        <TextInput
          label={t('auth.register.phone')}
          description={t('auth.register.phoneHint')}
          inputMode="tel"
          autoComplete="tel-national"
          name="phone"
          value={values.phone}
          onChange={(event) => change('phone')(phoneOf(event.currentTarget.value))}
          error={faultOf('phone') ?? (isPhoneRefused && sentence(challenge.error))}
          required
          withAsterisk={false}
        />
        <CodeField
          inputRef={codeInput}
          value={values.code}
          onChange={change('code')}
          error={faultOf('code')}
          wasSent={challenge.wasSent}
          isSending={challenge.isSending}
          resendSeconds={challenge.resendSeconds}
          onSend={() => registration.sendCode(() => codeInput.current?.focus())}
        />
        {challenge.error && !isPhoneRefused && <Problem error={challenge.error} />}
        <TextInput
          label={t('auth.register.email')}
          description={t('auth.register.emailHint')}
          type="email"
          autoComplete="email"
          name="email"
          maxLength={254}
          value={values.email}
          onChange={(event) => change('email')(event.currentTarget.value)}
          error={faultOf('email')}
          required
          withAsterisk={false}
        />
        <NewPassword
          value={values.password}
          onChange={change('password')}
          error={faultOf('password')}
          known={[values.phone, values.email.split('@')[0] ?? '']}
        />
        {registration.error && (
          <NotRegistered
            error={registration.error}
            signInPath={signInPath}
            typed={{ identifier: values.phone, password: values.password }}
          />
        )}
        <Button type="submit" size="md" loading={registration.isRegistering}>
          {t('auth.register.submit')}
        </Button>
      </form>
      <p>
        {t('auth.register.toSignIn')} <Link href={signInPath}>{t('auth.register.toSignInLink')}</Link>
      </p>
    </AuthLayout>
  )
}

interface NotRegisteredProps {
  readonly error: Error
  readonly signInPath: string
  readonly typed: { readonly identifier: string; readonly password: string }
}

/** Where there may be an account already, signing in is the next thing to try, with what was typed. */
function NotRegistered({ error, signInPath, typed }: NotRegisteredProps) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const tryToSignIn = (
    <Button
      size="xs"
      onClick={() => {
        handedCredentials.give(typed)
        navigate(signInPath)
      }}
    >
      {t('auth.register.tryToSignIn')}
    </Button>
  )
  if (error instanceof Unreachable) {
    return (
      <Notice tone="wait" isNews title={t('auth.register.unknownTitle')} actions={tryToSignIn}>
        {t('auth.register.unknown')}
      </Notice>
    )
  }
  const isSignInBetter = isRefused(error, 'ACCOUNT_ALREADY_EXISTS', 'ACCOUNT_UNAVAILABLE', 'VERIFICATION_CONFLICT')
  return <Problem error={error}>{isSignInBetter && tryToSignIn}</Problem>
}
