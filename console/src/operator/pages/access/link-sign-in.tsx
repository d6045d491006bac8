import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ask } from '../../../api/ask.ts'
import { Entrance } from '../../../design/frame/entrance.tsx'
import { Opening } from '../../../design/frame/opening.tsx'
import { Problem } from '../../../design/problem.tsx'
import { operatorApi } from '../../api/client.ts'
import { operatorSession } from '../../api/session.ts'
import { SignInForm } from './sign-in-form.tsx'

let exchange: Promise<unknown> | undefined

/** A token is good once, so it is sent once, however often React runs an effect. */
const exchangeOnce = (token: string): Promise<unknown> => {
  exchange ??= ask(() => operatorApi.POST('/sign-in', { body: { token } })).then(operatorSession.started)
  return exchange
}

/** Exchanges the token of a one-time link for a session. */
export function LinkSignIn({ token }: { token: string }) {
  const { t } = useTranslation()
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    exchangeOnce(token).catch(setError)
  }, [token])
  if (error === null) return <Opening />
  return (
    <Entrance title={t('operator.signIn.title')} lead={t('operator.signIn.lead')}>
      <Problem error={error} title={t('operator.signIn.linkTitle')} />
      <SignInForm />
    </Entrance>
  )
}
