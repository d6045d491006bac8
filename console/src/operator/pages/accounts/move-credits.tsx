import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isRefused, Refused } from '../../../api/refusal.ts'
import { useCreditsText } from '../../../design/amount.tsx'
import { Button } from '../../../design/button.tsx'
import { askToWrite, operatorApi } from '../../api/client.ts'
import type { Account } from '../../api/types.ts'
import { type DialogForm, FormDialog, type FormField } from '../../parts/form-dialog.tsx'
import { useTell } from '../../parts/news.tsx'
import { useReasonField } from '../../parts/use-reason-field.ts'

type Name = 'credits' | 'reference' | 'reason' | 'again'
type Kind = 'grant' | 'withdraw'

/** Grants credits to an account, or takes available ones back. */
export function MoveCreditsButton({ kind, account }: { kind: Kind; account: Account }) {
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
  const tell = useTell()
  const reason = useReasonField()
  // What the gateway says about an earlier movement with a similar reference.
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
      if ('approval' in moved) return tell(t('operator.money.pending'), 'wait')
      if (moved.replayed) return tell(t('operator.money.replayed'), 'plain')
      const said = { credits: creditsText(moved.credits), available: creditsText(moved.balance.available) }
      tell(t(`operator.money.${kind === 'grant' ? 'granted' : 'withdrawn'}`, said))
    },
  }
}

async function moveCredits(kind: Kind, projectId: string, { credits, reference, reason, again }: Record<Name, string>) {
  const number = credits.normalize('NFKC').replace(/[\s,，]/g, '')
  // What is no whole number is not sent: the gateway would answer the same.
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
