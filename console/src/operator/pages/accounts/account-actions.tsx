import { useTranslation } from 'react-i18next'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Account } from '../../api/types.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { MoveCreditsButton } from './move-credits.tsx'
import { RecoverButton } from './recover-button.tsx'

/** What the operator's role permits to do about an account. */
export function AccountActions({ account }: { account: Account }) {
  const { t } = useTranslation()
  const mayAct = useMay('accounts')
  const mayMove = useMay('credits')
  const name = account.phoneMasked
  const post = (path: `/accounts/{accountId}/${'suspend' | 'reinstate' | 'sign-out'}`) => (reason: string) =>
    askToWrite(() => operatorApi.POST(path, { params: { path: { accountId: account.accountId } }, body: { reason } }))
  const isSuspended = account.state === 'suspended'
  return (
    <>
      {mayMove && (
        <>
          <MoveCreditsButton kind="grant" account={account} />
          <MoveCreditsButton kind="withdraw" account={account} />
        </>
      )}
      {mayAct && (
        <>
          <ActionButton
            size="sm"
            label={t('operator.accounts.signOut')}
            title={t('operator.accounts.signOutTitle', { name })}
            hint={t('operator.accounts.signOutHint')}
            send={post('/accounts/{accountId}/sign-out')}
            news={t('operator.accounts.signedOut', { name })}
          />
          <RecoverButton account={account} />
          {isSuspended ? (
            <ActionButton
              size="sm"
              label={t('operator.accounts.reinstate')}
              title={t('operator.accounts.reinstateTitle', { name })}
              hint={t('operator.accounts.reinstateHint')}
              send={post('/accounts/{accountId}/reinstate')}
              news={t('operator.accounts.reinstated', { name })}
            />
          ) : (
            <ActionButton
              size="sm"
              label={t('operator.accounts.suspend')}
              title={t('operator.accounts.suspendTitle', { name })}
              hint={t('operator.accounts.suspendHint')}
              isDestructive
              send={post('/accounts/{accountId}/suspend')}
              news={t('operator.accounts.suspended', { name })}
            />
          )}
        </>
      )}
    </>
  )
}
