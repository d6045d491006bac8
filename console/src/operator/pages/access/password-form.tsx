import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isRefused } from '../../../api/refusal.ts'
import { Button } from '../../../design/button.tsx'
import { PasswordField } from '../../../design/field.tsx'
import { NewPassword } from '../../../design/password/new-password.tsx'
import { Problem } from '../../../design/problem.tsx'
import { passwordFault } from '../../../format/password-rule.ts'
import { useSentence } from '../../../format/use-sentence.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { useOperator } from '../../api/session.ts'

interface PasswordFormProps {
  readonly currentLabel: string
  readonly submitLabel: string
  readonly onDone: (endedSessions: number) => void
}

/** The present password and a new one. */
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
