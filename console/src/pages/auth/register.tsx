import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearch } from 'wouter'
import { Button } from '../../design/button.tsx'
import { TextInput } from '../../design/field.tsx'
import { NewPassword } from '../../design/password/new-password.tsx'
import { Problem } from '../../design/problem.tsx'
import { phoneOf } from '../../format/phone.ts'
import { AuthLayout } from './auth-layout.tsx'
import { CodeField } from './code-field.tsx'
import { EmailField } from './email-field.tsx'
import { TrySigningIn } from './try-signing-in.tsx'
import { useRegistration } from './use-registration.ts'

export function Register() {
  const { t } = useTranslation()
  const search = useSearch()
  const codeInput = useRef<HTMLInputElement>(null)
  const { form, values, challenge, change, faultOf, elsewhere, ...registration } = useRegistration()
  const sendingError = elsewhere(challenge.error)
  const signInPath = search ? `/sign-in?${search}` : '/sign-in'

  return (
    <AuthLayout title={t('auth.register.title')} lead={t('auth.register.lead')}>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          registration.submit()
        }}
        noValidate
      >
        <TextInput
          label={t('auth.register.phone')}
          description={t('auth.register.phoneHint')}
          inputMode="tel"
          autoComplete="tel-national"
          name="phone"
          value={values.phone}
          onChange={(event) => change('phone')(phoneOf(event.currentTarget.value))}
          error={faultOf('phone')}
          required
        />
        <CodeField
          inputRef={codeInput}
          label={t('auth.register.code')}
          hint={t('auth.register.codeHint')}
          sentText={t('auth.register.codeSent')}
          value={values.code}
          onChange={change('code')}
          error={faultOf('code')}
          challenge={challenge}
          onSend={() => registration.sendCode(() => codeInput.current?.focus())}
        />
        {sendingError && <Problem error={sendingError} />}
        <EmailField
          label={t('auth.register.email')}
          description={t('auth.register.emailHint')}
          value={values.email}
          onChange={change('email')}
          error={faultOf('email')}
        />
        <NewPassword
          label={t('auth.register.password')}
          value={values.password}
          onChange={change('password')}
          error={faultOf('password')}
          known={[values.phone, values.email.split('@')[0] ?? '']}
        />
        {registration.error && (
          <TrySigningIn
            error={registration.error}
            unknown={t('auth.register.unknown')}
            path={signInPath}
            handed={{ identifier: values.phone, password: values.password, notice: 'afterUnknown' }}
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
