import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearch } from 'wouter'
import { ask, gateway } from '../../api/gateway.ts'
import { isRefused, Unreachable } from '../../api/refusal.ts'
import { session } from '../../api/session.ts'
import { Notice } from '../../design/notice.tsx'
import { Problem } from '../../design/problem.tsx'
import { useSentence } from '../../design/use-sentence.ts'
import { handedCredentials } from '../../hand-overs.ts'
import { AuthLayout } from './auth-layout.tsx'
import { CodeField } from './code-field.tsx'
import { NewPassword } from './new-password.tsx'
import { passwordFault } from './password-rule.ts'
import { useChallenge } from './use-challenge.ts'

const phonePattern = /^1[3-9][0-9]{9}$/
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

type Field = 'phone' | 'code' | 'email' | 'password'
type Faults = { [F in Field]?: string | undefined }
/** Refusals that belong to one field. */
const fieldOfCode = {
  PHONE_INVALID: 'phone',
  VERIFICATION_FAILED: 'code',
  EMAIL_INVALID: 'email',
  PASSWORD_INVALID: 'password',
} as const

export function Register() {
  const { t } = useTranslation()
  const search = useSearch()
  const [, navigate] = useLocation()
  const sentence = useSentence()
  const [values, setValues] = useState({ phone: '', code: '', email: '', password: '' })
  const [faults, setFaults] = useState<Faults>({})
  const codeInput = useRef<HTMLInputElement>(null)
  const challenge = useChallenge(values.phone)
  const signInPath = search ? `/sign-in?${search}` : '/sign-in'

  const change = (field: Field) => (value: string) => {
    setValues({ ...values, [field]: value })
    setFaults({ ...faults, [field]: undefined })
  }

  const registering = useMutation({
    mutationFn: (challengeId: string) =>
      ask(() =>
        gateway.POST('/auth/register', {
          body: {
            phone: values.phone,
            verificationCode: values.code,
            challengeId,
            recoveryEmail: values.email.trim(),
            password: values.password,
          },
        }),
      ),
    onSuccess: (answer) => session.started(answer),
    onError: (error) => {
      if (!isRefused(error)) return
      const field = fieldOfCode[error.code as keyof typeof fieldOfCode]
      if (field) setFaults({ [field]: sentence(error) })
    },
  })

  function sendCode() {
    if (!phonePattern.test(values.phone)) return setFaults({ ...faults, phone: t('auth.register.phoneWrong') })
    setFaults({ ...faults, phone: undefined, code: undefined })
    challenge.send(undefined, { onSuccess: () => codeInput.current?.focus() })
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const passwordWrong = passwordFault(values.password)
    const found: Faults = {
      ...(!phonePattern.test(values.phone) && { phone: t('auth.register.phoneWrong') }),
      ...(!challenge.challengeId && { code: t(`auth.register.${challenge.wasSent ? 'codeExpired' : 'codeFirst'}`) }),
      ...(challenge.challengeId && !/^[0-9]{6}$/.test(values.code) && { code: t('auth.register.codeWrong') }),
      ...(!emailPattern.test(values.email.trim()) && { email: t('auth.register.emailWrong') }),
      ...(passwordWrong && { password: t(`auth.register.${passwordWrong}`) }),
    }
    setFaults(found)
    const first = (['phone', 'code', 'email', 'password'] as const).find((field) => found[field])
    if (first) return event.currentTarget.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
    registering.mutate(challenge.challengeId!)
  }

  function tryToSignIn() {
    handedCredentials.give({ identifier: values.phone, password: values.password })
    navigate(signInPath)
  }

  const { error } = registering
  const isShownAtField = isRefused(error) && error.code in fieldOfCode
  const isSignInBetter = isRefused(error, 'ACCOUNT_ALREADY_EXISTS', 'ACCOUNT_UNAVAILABLE', 'VERIFICATION_CONFLICT')
  const signInButton = (
    <Button size="xs" onClick={tryToSignIn}>
      {t('auth.register.tryToSignIn')}
    </Button>
  )

  return (
    <AuthLayout title={t('auth.register.title')} lead={t('auth.register.lead')}>
      <form onSubmit={submit} noValidate>
        <TextInput
          label={t('auth.register.phone')}
          description={t('auth.register.phoneHint')}
          inputMode="tel"
          autoComplete="tel-national"
          name="phone"
          maxLength={11}
          value={values.phone}
          onChange={(event) => change('phone')(event.currentTarget.value.replace(/\D/g, ''))}
          error={faults.phone ?? (isRefused(challenge.error, 'PHONE_INVALID') && sentence(challenge.error))}
          required
          withAsterisk={false}
        />
        <CodeField
          inputRef={codeInput}
          value={values.code}
          onChange={change('code')}
          error={faults.code ?? null}
          wasSent={challenge.wasSent}
          isSending={challenge.isSending}
          resendSeconds={challenge.resendSeconds}
          onSend={sendCode}
        />
        {challenge.error && !isRefused(challenge.error, 'PHONE_INVALID') && <Problem error={challenge.error} />}
        <TextInput
          label={t('auth.register.email')}
          description={t('auth.register.emailHint')}
          type="email"
          autoComplete="email"
          name="email"
          maxLength={254}
          value={values.email}
          onChange={(event) => change('email')(event.currentTarget.value)}
          error={faults.email}
          required
          withAsterisk={false}
        />
        <NewPassword
          value={values.password}
          onChange={change('password')}
          error={faults.password ?? null}
          known={[values.phone, values.email.split('@')[0] ?? '']}
        />
        {error instanceof Unreachable ? (
          <Notice tone="wait" isNews title={t('auth.register.unknownTitle')} actions={signInButton}>
            {t('auth.register.unknown')}
          </Notice>
        ) : (
          error && !isShownAtField && <Problem error={error}>{isSignInBetter && signInButton}</Problem>
        )}
        <Button type="submit" size="md" loading={registering.isPending}>
          {t('auth.register.submit')}
        </Button>
      </form>
      <p>
        {t('auth.register.toSignIn')} <Link href={signInPath}>{t('auth.register.toSignInLink')}</Link>
      </p>
    </AuthLayout>
  )
}
