import { useTranslation } from 'react-i18next'
import { ask } from '../../api/ask.ts'
import { gateway } from '../../api/gateway.ts'
import { session } from '../../api/session.ts'
import { askAuthenticator } from '../second-factor/passkey-browser.ts'
import { PasskeyButton } from '../second-factor/passkey-button.tsx'

/** Signs in with a passkey of this device, which identifies the account. */
export function PasskeySignIn() {
  const { t } = useTranslation()
  return (
    <PasskeyButton
      label={t('secondFactor.passkeySignIn')}
      prove={signIn}
      onProven={(response) => session.started(response)}
    />
  )
}

async function signIn() {
  const options = await ask(() => gateway.POST('/auth/passkey/start', { body: {} }))
  const body = await askAuthenticator(options)
  return ask(() => gateway.POST('/auth/passkey', { body }))
}
