import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearch } from 'wouter'
import { Button, LinkButton } from '../../design/button.tsx'
import { TextInput } from '../../design/field.tsx'
import { NewPassword } from '../../design/password/new-password.tsx'
import { Problem } from '../../design/problem.tsx'
import { handedCredentials, handedIdentifier } from '../../hand-overs.ts'
import { AuthLayout } from './auth-layout.tsx'
import { CodeField } from './code-field.tsx'
import { TrySigningIn } from './try-signing-in.tsx'
import { useRecovery } from './use-recovery.ts'

/** A new password for whoever has forgotten the old one and still has the phone or the verified email. */
export function Recover() {
  const { t } = useTranslation()
  const search = useSearch()
  const codeInput = useRef<HTMLInputElement>(null)
  const recovery = useRecovery(handedIdentifier.useGiven())
  const { form, values, identifier, challenge, change, faultOf, elsewhere, isByLink } = recovery
  const sendingError = elsewhere(challenge.error)
  const signInPath = search ? `/sign-in?${search}` : '/sign-in'
  if (recovery.isRecovered) return <Recovered identifier={identifier} signInPath={signInPath} />

  return (
    <AuthLayout title={t('auth.recover.title')} lead={t(isByLink ? 'auth.recover.leadByLink' : 'auth.recover.lead')}>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          recovery.submit()
        }}
        noValidate
      >
        {!isByLink && (
          <TextInput
            label={t('auth.recover.identifier')}
            description={t('auth.recover.identifierHint')}
            autoComplete="username"
            name="identifier"
            maxLength={254}
            value={values.identifier}
            onChange={(event) => change('identifier')(event.currentTarget.value)}
            error={faultOf('identifier')}
            required
          />
        )}
        <CodeField
          inputRef={codeInput}
          label={t('auth.recover.code')}
          hint={t('auth.recover.codeHint')}
          sentText={isByLink ? '' : t('auth.recover.codeSent')}
          value={values.code}
          onChange={change('code')}
          error={faultOf('code')}
          challenge={challenge}
          onSend={isByLink ? null : () => recovery.sendCode(() => codeInput.current?.focus())}
        />
        {sendingError && <Problem error={sendingError} />}
        <NewPassword
          label={t('auth.recover.password')}
          value={values.password}
          onChange={change('password')}
          error={faultOf('password')}
          known={[identifier.split('@')[0] ?? '']}
        />
        {recovery.error && (
          <TrySigningIn
            error={recovery.error}
            unknown={t('auth.recover.unknown')}
            path={signInPath}
            handed={{ identifier, password: values.password, notice: 'afterUnknownChange' }}
          />
        )}
        <Button type="submit" size="md" loading={recovery.isRecovering}>
          {t('auth.recover.submit')}
        </Button>
      </form>
      {isByLink && (
        <p>
          {t('auth.recover.noCode')}{' '}
          <Button variant="subtle" size="compact-sm" onClick={challenge.forget}>
            {t('auth.recover.sendYourself')}
          </Button>
        </p>
      )}
      <p>
        {t('auth.recover.toSignIn')} <Link href={signInPath}>{t('auth.recover.toSignInLink')}</Link>
      </p>
    </AuthLayout>
  )
}

/** A page of its own, so that its heading takes the focus. */
function Recovered({ identifier, signInPath }: { identifier: string; signInPath: string }) {
  const { t } = useTranslation()
  return (
    <AuthLayout title={t('auth.recover.doneTitle')} lead={t('auth.recover.done')}>
      <LinkButton
        href={signInPath}
        size="md"
        onClick={() => handedCredentials.give({ identifier, password: '', notice: 'afterRecovery' })}
      >
        {t('auth.recover.toSignInWithNew')}
      </LinkButton>
    </AuthLayout>
  )
}
