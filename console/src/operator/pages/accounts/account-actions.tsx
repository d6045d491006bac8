import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isRefused, Refused } from '../../../api/ask.ts'
import { Button } from '../../../design/button.tsx'
import { Dialog, DialogActions } from '../../../design/dialog.tsx'
import { useCreditsText } from '../../../design/figures.tsx'
import { Secret } from '../../../design/totp-secret.tsx'
import { useFormat } from '../../../format/format.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Account, AccountRecovery } from '../../api/types.ts'
import { ActionButton, type DialogForm, FormDialog, type FormField, useReasonField } from '../../parts/form-dialog.tsx'
import { useNotify } from '../../parts/parts.tsx'

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

type Name = 'credits' | 'reference' | 'reason' | 'again'
type Kind = 'grant' | 'withdraw'

function MoveCreditsButton({ kind, account }: { kind: Kind; account: Account }) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const form = useMoveForm(kind, account)
  return (
    <>
      <Button variant={kind === 'grant' ? 'filled' : 'default'} size="sm" onClick={() => setAsking(true)}>
        {t(`operator.money.${kind}`)}
      </Button>
      <FormDialog form={isAsking ? form : null} onClose={() => setAsking(false)} />
    </>
  )
}

type Moved = Awaited<ReturnType<typeof moveCredits>>

function useMoveForm(kind: Kind, { projectId, phoneMasked, balance }: Account): DialogForm<Name, Moved> {
  const { t } = useTranslation()
  const creditsText = useCreditsText()
  const notify = useNotify()
  const reason = useReasonField()
  // Set when the gateway knows an earlier movement with a similar reference.
  const [seen, setSeen] = useState<string | null>(null)
  const fields: FormField<Name>[] = [
    {
      name: 'credits',
      label: t('operator.money.credits'),
      hint: t('operator.money.creditsHint'),
      kind: 'number',
      maxLength: 7,
      codes: ['CREDITS_INVALID', 'AVAILABLE_CREDITS_EXCEEDED'],
    },
    {
      name: 'reference',
      label: t('operator.money.reference'),
      hint: t('operator.money.referenceHint'),
      maxLength: 200,
      codes: ['REFERENCE_INVALID', 'REFERENCE_ALREADY_USED', 'REFERENCE_SEEN_BEFORE'],
    },
    reason,
  ]
  if (seen !== null)
    fields.push({ name: 'again', label: t('operator.money.again'), hint: seen, kind: 'check', isOptional: true })
  return {
    title: t(`operator.money.${kind}Title`, { name: phoneMasked }),
    hint: t(`operator.money.${kind}Hint`, { available: creditsText(balance.available) }),
    fields,
    submitLabel: t(`operator.money.${kind}`),
    isDestructive: kind === 'withdraw',
    send: (values) =>
      moveCredits(kind, projectId, values).catch((error) => {
        setSeen(isRefused(error, 'REFERENCE_SEEN_BEFORE') ? (error.detail ?? '') : null)
        throw error
      }),
    onDone: (moved) => {
      setSeen(null)
      if ('approval' in moved) return notify(t('operator.money.pending'), 'wait')
      if (moved.replayed) return notify(t('operator.money.replayed'), 'plain')
      const said = { credits: creditsText(moved.credits), available: creditsText(moved.balance.available) }
      notify(t(`operator.money.${kind === 'grant' ? 'granted' : 'withdrawn'}`, said))
    },
  }
}

async function moveCredits(kind: Kind, projectId: string, { credits, reference, reason, again }: Record<Name, string>) {
  const number = credits.normalize('NFKC').replace(/[\s,，]/g, '')
  // Not sent if not a whole number: the gateway would refuse it with the same error.
  if (!/^\d{1,15}$/.test(number)) throw new Refused('CREDITS_INVALID', new Response(null, { status: 400 }))
  const body = {
    projectId,
    credits: Number(number),
    reference: reference.trim(),
    reason: reason.trim(),
    ...(again && { again: true }),
  }
  return askToWrite(() => operatorApi.POST(`/credits/${kind}`, { body }))
}

/** Sends the customer a code and shows the operator a link; recovery needs both. */
function RecoverButton({ account: { accountId, phoneMasked: name } }: { account: Account }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [recovery, setRecovery] = useState<AccountRecovery | null>(null)
  return (
    <>
      <ActionButton
        size="sm"
        label={t('operator.accounts.recover')}
        title={t('operator.accounts.recoverTitle', { name })}
        hint={t('operator.accounts.recoverHint')}
        send={(reason) =>
          askToWrite(() =>
            operatorApi.POST('/accounts/{accountId}/recover', { params: { path: { accountId } }, body: { reason } }),
          )
        }
        onDone={(response) => setRecovery(response.recovery)}
      />
      <Dialog
        title={t('operator.accounts.recovered', { name })}
        isOpen={recovery !== null}
        onClose={() => setRecovery(null)}
        isHeld
      >
        {recovery && (
          <>
            <p>{t('operator.accounts.recoveredHint', { time: format.dateTime(recovery.expiresAt) })}</p>
            <Secret label={t('operator.accounts.recoveryLink')} text={recovery.link} />
          </>
        )}
        <DialogActions>
          <Button onClick={() => setRecovery(null)}>{t('operator.secret.done')}</Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
