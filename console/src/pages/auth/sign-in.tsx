import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearch } from 'wouter'
import { ask } from '../../api/ask.ts'
import { gateway } from '../../api/gateway.ts'
import { type ErrorCode, isRefused } from '../../api/refusal.ts'
import { session, useSession } from '../../api/session.ts'
import { Notice } from '../../design/notice.tsx'
import { Problem } from '../../design/problem.tsx'
import { passwordFault } from '../../format/password-rule.ts'
import { identifierOf } from '../../format/phone.ts'
import { useSentence } from '../../format/use-sentence.ts'
import { handedCredentials } from '../../hand-overs.ts'
import { AuthLayout } from './auth-layout.tsx'

type Field = 'identifier' | 'password'
/** What is wrong with a field, as a name: its words follow the language. */
type Fault = ErrorCode | 'required' | NonNullable<ReturnType<typeof passwordFault>>
type Faults = { [F in Field]?: Fault | undefined }
const fieldOfCode = { IDENTIFIER_INVALID: 'identifier', PASSWORD_INVALID: 'password' } as const

const notices = { expired: 'expired', 'signed-out': 'signedOut', everywhere: 'everywhere' } as const

export function SignIn() {
  const { t } = useTranslation()
  const search = useSearch()
  const sayFault = useFault()
  const current = useSession()
  const reason = current.phase === 'out' ? current.reason : 'none'
  const remembered = handedCredentials.useGiven()
  const [values, setValues] = useState(remembered ?? { identifier: '', password: '' })
  const [faults, setFaults] = useState<Faults>({})

  const change = (field: Field) => (value: string) => {
    setValues({ ...values, [field]: value })
    setFaults({ ...faults, [field]: undefined })
  }

  const signingIn = useMutation({
    mutationFn: () =>
      ask(() =>
        gateway.POST('/auth/login', {
          body: { identifier: identifierOf(values.identifier), password: values.password },
        }),
      ),
    onSuccess: (answer) => session.started(answer),
    onError: (error) => {
      if (!isRefused(error)) return
      const field = fieldOfCode[error.code as keyof typeof fieldOfCode]
      if (field) setFaults({ [field]: error.code })
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const passwordWrong = passwordFault(values.password)
    const found: Faults = {
      ...(values.identifier.trim() === '' && { identifier: 'required' }),
      ...(passwordWrong && { password: passwordWrong }),
    }
    setFaults(found)
    const first = (['identifier', 'password'] as const).find((field) => found[field])
    if (first) return event.currentTarget.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
    signingIn.mutate()
  }

  const { error } = signingIn
  const isShownAtField = isRefused(error) && error.code in fieldOfCode
  return (
    <AuthLayout title={t('auth.signIn.title')} lead={t('auth.signIn.lead')}>
      {reason !== 'none' && !error && (
        <Notice tone={reason === 'expired' ? 'wait' : 'plain'} isNews>
          {t(`auth.signIn.${notices[reason]}`)}
        </Notice>
      )}
      {remembered && !error && <Notice>{t('auth.signIn.afterUnknown')}</Notice>}
      <form onSubmit={submit} noValidate>
        <TextInput
          label={t('auth.signIn.identifier')}
          description={t('auth.signIn.identifierHint')}
          autoComplete="username"
          name="identifier"
          value={values.identifier}
          onChange={(event) => change('identifier')(event.currentTarget.value)}
          error={sayFault(faults.identifier)}
          required
          withAsterisk={false}
        />
        <PasswordInput
          label={t('auth.signIn.password')}
          autoComplete="current-password"
          name="password"
          value={values.password}
          onChange={(event) => change('password')(event.currentTarget.value)}
          error={sayFault(faults.password)}
          visibilityToggleButtonProps={{ 'aria-label': t('common.showKey') }}
          required
          withAsterisk={false}
        />
        {error && !isShownAtField && <Problem error={error} />}
        <Button type="submit" size="md" loading={signingIn.isPending}>
          {t('auth.signIn.submit')}
        </Button>
      </form>
      <p>
        {t('auth.signIn.toRegister')}{' '}
        <Link href={search ? `/register?${search}` : '/register'}>{t('auth.signIn.toRegisterLink')}</Link>
      </p>
    </AuthLayout>
  )
}

function useFault(): (fault: Fault | undefined) => string | undefined {
  const { t } = useTranslation()
  const sentence = useSentence()
  return (fault) => {
    if (fault === 'required') return t('common.required')
    if (fault === 'passwordShort' || fault === 'passwordLong') return t(`auth.register.${fault}`)
    return fault && sentence(fault)
  }
}
