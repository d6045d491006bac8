import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearch } from 'wouter'
import { ask } from '../../api/ask.ts'
import { gateway } from '../../api/gateway.ts'
import { reloadForLinks } from '../../api/link-fragment.ts'
import { Button, LinkButton } from '../../design/button.tsx'
import { Checkbox, TextInput } from '../../design/field.tsx'
import { NewPassword } from '../../design/new-password.tsx'
import { Notice, Problem } from '../../design/notice.tsx'
import { identifierOf, isEmail, isPhone, passwordFault } from '../../format/contact.ts'
import { useFormat } from '../../format/format.ts'
import { handedCredentials, handedIdentifier } from '../../handoff.ts'
import { addWords } from '../../i18n/i18n.ts'
import * as words from '../second-factor/words.ts'
import { AuthLayout, CodeField, TrySigningIn } from './parts.tsx'
import { challengeInLink, codeFault, keptChallenge, takeLinkedCode, useChallenge } from './use-challenge.ts'
import { useFields } from './use-fields.ts'

addWords(words)

/** Sets a new password with a code sent to the phone or the verified email. */
export function Recover() {
  const { t } = useTranslation()
  const search = useSearch()
  const codeInput = useRef<HTMLInputElement>(null)
  const recovery = useRecovery(handedIdentifier.useGiven())
  const { form, values, identifier, challenge, change, faultOf, elsewhere, isByLink } = recovery
  const sendingError = elsewhere(challenge.error)
  const signInPath = search ? `/sign-in?${search}` : '/sign-in'
  if (recovery.isRecovered)
    return <Recovered identifier={identifier} signInPath={signInPath} factorRemovedAt={recovery.factorRemovedAt} />

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
        <Checkbox
          label={t('secondFactor.lostBox')}
          description={t('secondFactor.lostBoxHint')}
          checked={recovery.isFactorLost}
          onChange={(event) => recovery.setFactorLost(event.currentTarget.checked)}
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
        {t('auth.recover.toSignIn')}{' '}
        <Link href={signInPath} onClick={() => handedIdentifier.give(values.identifier)}>
          {t('auth.recover.toSignInLink')}
        </Link>
      </p>
    </AuthLayout>
  )
}

interface RecoveredProps {
  readonly identifier: string
  readonly signInPath: string
  readonly factorRemovedAt: string | null
}

/** A separate page, so that its heading takes the focus. */
function Recovered({ identifier, signInPath, factorRemovedAt }: RecoveredProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <AuthLayout title={t('auth.recover.doneTitle')} lead={t('auth.recover.done')}>
      {factorRemovedAt && (
        <Notice tone="wait">{t('secondFactor.lostDone', { time: format.dateTime(factorRemovedAt) })}</Notice>
      )}
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

function useRecovery(typedBefore: string | null) {
  const [linked] = useState(takeLinkedCode)
  useEffect(() => reloadForLinks(challengeInLink), [])
  const fields = useFields(
    () => ({
      identifier: linked ? '' : typedBefore || (keptChallenge('recovery').read()?.contact ?? ''),
      code: '',
      password: '',
    }),
    {
      IDENTIFIER_INVALID: 'identifier',
      VERIFICATION_FAILED: 'code',
      // The length was checked already, so it is a common password.
      PASSWORD_INVALID: { field: 'password', fault: 'passwordCommon' },
    },
  )
  const { code, password } = fields.values
  const identifier = identifierOf(fields.values.identifier)
  const challenge = useChallenge({
    purpose: 'recovery',
    contact: identifier,
    first: linked,
    request: () => ask(() => gateway.POST('/auth/recovery/send-code', { body: { identifier } })),
  })
  // An operator sent the code, so the contact is unknown here.
  const isByLink = challenge.wasSent && identifier === ''
  const identifierFault = isByLink || isPhone(identifier) || isEmail(identifier) ? null : 'IDENTIFIER_INVALID'

  const [isFactorLost, setFactorLost] = useState(false)
  const recovering = useMutation({
    mutationFn: (challengeId: string) =>
      ask(() =>
        gateway.POST('/auth/recovery/confirm', {
          body: {
            challengeId,
            verificationCode: code,
            newPassword: password,
            ...(isFactorLost && { removesSecondFactor: true }),
          },
        }),
      ),
    onSuccess: challenge.forget,
    onError: fields.refuse,
  })

  return {
    ...fields,
    identifier,
    challenge,
    isByLink,
    isRecovering: recovering.isPending,
    isRecovered: recovering.isSuccess,
    factorRemovedAt: recovering.data?.secondFactorRemovedAt ?? null,
    isFactorLost,
    setFactorLost,
    /** The error, unless it is shown at a field. */
    error: fields.elsewhere(recovering.error),
    sendCode(onSent: () => void) {
      if (fields.checkSome({ identifier: identifierFault, code: null }))
        challenge.send({ onSuccess: onSent, onError: fields.refuse })
    },
    submit() {
      const isRight = fields.check({
        identifier: identifierFault,
        code: codeFault(challenge, code),
        password: passwordFault(password),
      })
      if (isRight) recovering.mutate(challenge.challengeId!)
    },
  }
}
