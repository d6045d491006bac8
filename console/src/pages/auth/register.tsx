import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearch } from 'wouter'
import { ask } from '../../api/ask.ts'
import { gateway } from '../../api/gateway.ts'
import { session } from '../../api/session.ts'
import { Button } from '../../design/button.tsx'
import { TextInput } from '../../design/field.tsx'
import { NewPassword } from '../../design/new-password.tsx'
import { Problem } from '../../design/notice.tsx'
import { identifierOf, isEmail, isPhone, passwordFault, phoneOf } from '../../format/contact.ts'
import { handedIdentifier } from '../../handoff.ts'
import { AuthLayout, CodeField, EmailField, TrySigningIn } from './parts.tsx'
import { codeFault, keptChallenge, useChallenge } from './use-challenge.ts'
import { useFields } from './use-fields.ts'

export function Register() {
  const { t } = useTranslation()
  const search = useSearch()
  const codeInput = useRef<HTMLInputElement>(null)
  const { form, values, challenge, change, faultOf, elsewhere, ...registration } = useRegistration(
    handedIdentifier.useGiven(),
  )
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
        {t('auth.register.toSignIn')}{' '}
        <Link href={signInPath} onClick={() => handedIdentifier.give(values.phone)}>
          {t('auth.register.toSignInLink')}
        </Link>
      </p>
    </AuthLayout>
  )
}

/** An email address may have been typed to sign in. */
const phoneIn = (typed: string): string => (isPhone(identifierOf(typed)) ? phoneOf(typed) : '')

function useRegistration(typedBefore: string | null) {
  const fields = useFields(
    () => ({
      phone: phoneIn(typedBefore ?? '') || (keptChallenge('registration').read()?.contact ?? ''),
      ...{ code: '', email: '', password: '' },
    }),
    { PHONE_INVALID: 'phone', VERIFICATION_FAILED: 'code', EMAIL_INVALID: 'email', PASSWORD_INVALID: 'password' },
  )
  const { phone, code, email, password } = fields.values
  const challenge = useChallenge({
    purpose: 'registration',
    contact: phone,
    request: () => ask(() => gateway.POST('/auth/send-code', { body: { phone } })),
  })
  const phoneFault = isPhone(phone) ? null : 'phoneWrong'

  const registering = useMutation({
    mutationFn: (challengeId: string) =>
      ask(() =>
        gateway.POST('/auth/register', {
          body: { phone, verificationCode: code, challengeId, recoveryEmail: email.trim(), password },
        }),
      ),
    onSuccess: (response) => {
      challenge.forget()
      return session.started(response)
    },
    onError: fields.refuse,
  })

  return {
    ...fields,
    challenge,
    isRegistering: registering.isPending,
    /** The error, unless it is shown at a field. */
    error: fields.elsewhere(registering.error),
    sendCode(onSent: () => void) {
      if (fields.checkSome({ phone: phoneFault, code: null }))
        challenge.send({ onSuccess: onSent, onError: fields.refuse })
    },
    submit() {
      const isRight = fields.check({
        phone: phoneFault,
        code: codeFault(challenge, code),
        email: isEmail(email) ? null : 'emailWrong',
        password: passwordFault(password),
      })
      if (isRight) registering.mutate(challenge.challengeId!)
    },
  }
}
