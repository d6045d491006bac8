import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isRefused } from '../../../api/ask.ts'
import { Button } from '../../../design/button.tsx'
import { PasswordField, TextInput } from '../../../design/field.tsx'
import { Entrance } from '../../../design/frame.tsx'
import { NewPassword } from '../../../design/new-password.tsx'
import { Notice, Problem } from '../../../design/notice.tsx'
import { passwordFault } from '../../../format/contact.ts'
import { useSentence } from '../../../format/format.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'
import { firstStep, operatorSession, useOperator } from '../../api/session.ts'
import { OperatorTotpSecret } from '../../parts/parts.tsx'
import { digitsOf } from './sign-in.tsx'

/** The first password is known to another operator, so it has to be replaced before anything else. */
export function FirstPassword() {
  const { t } = useTranslation()
  return (
    <FirstStep title={t('operator.firstPassword.title')} lead={t('operator.firstPassword.lead')}>
      <PasswordForm
        currentLabel={t('operator.firstPassword.current')}
        submitLabel={t('operator.firstPassword.submit')}
        onDone={finishStep}
      />
    </FirstStep>
  )
}

/** On a public origin nothing works before one-time codes are set up. */
export function EnrolTotp() {
  const { t } = useTranslation()
  const [uri, setUri] = useState<string | null>(null)
  return (
    <FirstStep title={t('operator.enrol.title')} lead={t('operator.enrol.lead')}>
      {uri === null ? <AskForSecret onShown={setUri} /> : <ConfirmSecret uri={uri} />}
    </FirstStep>
  )
}

/** A step that can be left only by signing out. */
function FirstStep({ children, ...head }: { title: string; lead: string; children: ReactNode }) {
  const { t } = useTranslation()
  async function leave(): Promise<void> {
    await operatorSession.signOut()
    firstStep.become(null)
  }
  const signOut = (
    <Button variant="subtle" size="compact-sm" onClick={leave}>
      {t('operator.nav.signOut')}
    </Button>
  )
  return (
    <Entrance {...head} link={signOut}>
      {children}
    </Entrance>
  )
}

function finishStep(): void {
  queryClient.clear()
  firstStep.become(null)
}

function AskForSecret({ onShown }: { onShown: (uri: string) => void }) {
  const { t } = useTranslation()
  const [currentPassword, setCurrent] = useState('')
  const asking = useMutation({
    mutationFn: () => askToWrite(() => operatorApi.POST('/me/totp', { body: { currentPassword } })),
    onSuccess: ({ totpUri }) => onShown(totpUri),
  })
  return (
    <form onSubmit={whenSent(asking.mutate)} noValidate>
      <PasswordField
        label={t('operator.enrol.current')}
        name="currentPassword"
        autoComplete="current-password"
        value={currentPassword}
        onChange={(event) => setCurrent(event.currentTarget.value)}
      />
      {asking.error && <Problem error={asking.error} />}
      <Button type="submit" size="md" loading={asking.isPending} disabled={currentPassword === ''}>
        {t('operator.enrol.show')}
      </Button>
    </form>
  )
}

function ConfirmSecret({ uri }: { uri: string }) {
  const { t } = useTranslation()
  const [totp, setTotp] = useState('')
  const confirming = useMutation({
    mutationFn: () => askToWrite(() => operatorApi.POST('/me/totp/confirm', { body: { totp } })),
    onSuccess: finishStep,
  })
  return (
    <form onSubmit={whenSent(confirming.mutate)} noValidate>
      <Notice tone="wait">{t('operator.secret.once')}</Notice>
      <OperatorTotpSecret uri={uri} />
      <TextInput
        label={t('operator.enrol.code')}
        description={t('operator.enrol.codeHint')}
        name="totp"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={totp}
        onChange={(event) => setTotp(digitsOf(event.currentTarget.value))}
      />
      {confirming.error && <Problem error={confirming.error} />}
      <Button type="submit" size="md" loading={confirming.isPending} disabled={totp.length < 6}>
        {t('operator.enrol.submit')}
      </Button>
    </form>
  )
}

const whenSent = (send: () => void) => (event: FormEvent<HTMLFormElement>) => {
  event.preventDefault()
  send()
}

interface PasswordFormProps {
  readonly currentLabel: string
  readonly submitLabel: string
  readonly onDone: (endedSessions: number) => void
}

/** Asks for the current password and a new one. */
export function PasswordForm({ currentLabel, submitLabel, onDone }: PasswordFormProps) {
  const { t } = useTranslation()
  const { name } = useOperator()
  const sentence = useSentence()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [wasSent, setSent] = useState(false)
  const changing = useMutation({
    mutationFn: () =>
      askToWrite(() => operatorApi.POST('/me/password', { body: { currentPassword: current, newPassword: next } })),
    onSuccess: ({ endedSessions }) => onDone(endedSessions),
  })
  const { error } = changing
  const fault = passwordFault(next)
  const isWrongCurrent = isRefused(error, 'AUTHENTICATION_FAILED')
  const isWrongNext = isRefused(error, 'PASSWORD_INVALID')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setSent(true)
    const first = current === '' ? 'current' : fault ? 'password' : null
    if (first) return event.currentTarget.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
    changing.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <PasswordField
        label={currentLabel}
        name="current"
        autoComplete="current-password"
        value={current}
        onChange={(event) => {
          setCurrent(event.currentTarget.value)
          changing.reset()
        }}
        error={(wasSent && current === '' && t('common.required')) || (isWrongCurrent && sentence(error))}
      />
      <NewPassword
        label={t('operator.signIn.newPassword')}
        value={next}
        onChange={setNext}
        known={[name, current]}
        error={wasSent && fault ? t(`auth.register.${fault}`) : isWrongNext ? sentence(error) : null}
      />
      {error && !isWrongCurrent && !isWrongNext && <Problem error={error} />}
      <Button type="submit" size="md" loading={changing.isPending}>
        {submitLabel}
      </Button>
    </form>
  )
}
