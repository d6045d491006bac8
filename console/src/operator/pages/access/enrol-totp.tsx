import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/button.tsx'
import { PasswordField, TextInput } from '../../../design/field.tsx'
import { Entrance } from '../../../design/frame/entrance.tsx'
import { Notice } from '../../../design/notice.tsx'
import { Problem } from '../../../design/problem.tsx'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { firstStep } from '../../api/first-step.ts'
import { queryClient } from '../../api/queries.ts'
import { TotpSecret } from '../../parts/totp-secret.tsx'
import { leave } from './first-password.tsx'
import { digitsOf } from './sign-in-form.tsx'

/** On a public origin nothing works before one-time codes are set up. */
export function EnrolTotp() {
  const { t } = useTranslation()
  const [uri, setUri] = useState<string | null>(null)
  return (
    <Entrance
      title={t('operator.enrol.title')}
      lead={t('operator.enrol.lead')}
      link={
        <Button variant="subtle" size="compact-sm" onClick={leave}>
          {t('operator.nav.signOut')}
        </Button>
      }
    >
      {uri === null ? <AskForSecret onShown={setUri} /> : <ConfirmSecret uri={uri} />}
    </Entrance>
  )
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
    onSuccess: () => {
      queryClient.clear()
      firstStep.become(null)
    },
  })
  return (
    <form onSubmit={whenSent(confirming.mutate)} noValidate>
      <Notice tone="wait">{t('operator.secret.once')}</Notice>
      <TotpSecret uri={uri} />
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
