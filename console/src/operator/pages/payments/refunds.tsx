import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refused } from '../../../api/ask.ts'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Mark, useCreditsText } from '../../../design/figures.tsx'
import type { Tone } from '../../../design/notice.tsx'
import { useFormat } from '../../../format/format.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Payment, PaymentRefund } from '../../api/types.ts'
import { ActionButton, type DialogForm, FormDialog, useReasonField } from '../../parts/form-dialog.tsx'
import { rowActions, shortId, useNotify } from '../../parts/parts.tsx'
import { Note } from './note.tsx'

const refundTones: Record<PaymentRefund['state'], Tone> = {
  pending: 'wait',
  refunded: 'good',
  returned: 'plain',
  review: 'bad',
}

export function RefundTable({ refunds }: { refunds: readonly PaymentRefund[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const mayDecide = useMay('credits')
  const columns: Column<PaymentRefund>[] = [
    {
      key: 'reference',
      title: t('operator.payments.reference'),
      isMain: true,
      isText: true,
      cell: ({ reference }) => reference,
    },
    {
      key: 'state',
      title: t('operator.payments.state'),
      narrow: 'untitled',
      cell: ({ state }) => <Mark tone={refundTones[state]}>{t(`operator.payments.refundStates.${state}`)}</Mark>,
    },
    {
      key: 'amount',
      title: t('operator.payments.amount'),
      isNumber: true,
      cell: ({ amountFen }) => format.yuanOfFen(amountFen),
    },
    { key: 'id', title: t('operator.payments.refundId'), cell: ({ refundId }) => <code>{shortId(refundId)}</code> },
    { key: 'note', title: t('operator.payments.note'), isText: true, cell: ({ note }) => <Note note={note} /> },
  ]
  if (mayDecide && refunds.some(({ state }) => state === 'review')) {
    columns.push({
      key: 'action',
      title: t('operator.payments.refundEnd.action'),
      narrow: 'untitled',
      cell: (row) =>
        row.state === 'review' && (
          <RefundEndButtons
            refund={row}
            what={(outcome) => {
              const credits = creditsText(row.credits)
              return {
                hint: t(`operator.payments.refundEnd.${outcome}.hint`, { credits }),
                done: t(`operator.payments.refundEnd.${outcome}.done`, { credits }),
              }
            }}
          />
        ),
    })
  }
  return (
    <DataTable
      caption={t('operator.payments.refunds')}
      columns={columns}
      rows={refunds}
      rowKey={({ refundId }) => refundId}
    />
  )
}

const ends = ['refunded', 'returned'] as const

interface RefundEndProps {
  readonly refund: Pick<PaymentRefund, 'refundId' | 'reference'>
  /** What each outcome means. */
  readonly what: (outcome: (typeof ends)[number]) => { readonly hint: string; readonly done: string }
}

/** Ends a refund in review as the operator found it to have ended. */
export function RefundEndButtons({ refund: { refundId, reference }, what }: RefundEndProps) {
  const { t } = useTranslation()
  const notify = useNotify()
  const params = { path: { refundId } }
  return (
    <span className={rowActions}>
      {ends.map((outcome) => (
        <ActionButton
          key={outcome}
          label={t(`operator.payments.refundEnd.${outcome}.label`)}
          ariaLabel={`${t(`operator.payments.refundEnd.${outcome}.label`)}: ${reference}`}
          title={t(`operator.payments.refundEnd.${outcome}.title`)}
          hint={what(outcome).hint}
          isDestructive
          send={(reason) =>
            askToWrite(() => operatorApi.POST('/refunds/{refundId}/decide', { params, body: { outcome, reason } }))
          }
          onDone={({ approvalId }) => {
            if (approvalId !== null) return notify(t('operator.payments.refundApproval'), 'wait')
            notify(what(outcome).done)
          }}
        />
      ))}
    </span>
  )
}

type Name = 'amount' | 'reference' | 'reason'

export function RefundButton({ payment, leftFen }: { payment: Payment; leftFen: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const notify = useNotify()
  const reason = useReasonField()
  const [isAsking, setAsking] = useState(false)
  const form: DialogForm<Name, Awaited<ReturnType<typeof refund>>> = {
    title: t('operator.payments.refundTitle', { amount: format.yuanOfFen(payment.amountFen) }),
    hint: t('operator.payments.refundHint', { left: format.yuanOfFen(leftFen) }),
    fields: [
      {
        name: 'amount',
        label: t('operator.payments.refundAmount'),
        hint: t('operator.payments.refundAmountHint'),
        kind: 'number',
        maxLength: 12,
        codes: ['REFUND_AMOUNT_INVALID', 'INSUFFICIENT_CREDITS'],
      },
      {
        name: 'reference',
        label: t('operator.payments.reference'),
        hint: t('operator.payments.referenceHint'),
        maxLength: 200,
        codes: ['REFERENCE_INVALID', 'REFERENCE_ALREADY_USED'],
      },
      reason,
    ],
    submitLabel: t('operator.payments.refund'),
    isDestructive: true,
    send: (values) => refund(payment.paymentId, values),
    onDone: ({ state, credits, replayed, approvalId }) => {
      if (approvalId !== null) return notify(t('operator.payments.refundApproval'), 'wait')
      if (replayed) return notify(t('operator.payments.refundReplayed'), 'plain')
      const said = t(`operator.payments.refundDone.${state}`, { credits: creditsText(credits) })
      notify(said, refundTones[state])
    },
  }
  return (
    <>
      <Button variant="default" size="sm" onClick={() => setAsking(true)}>
        {t('operator.payments.refund')}
      </Button>
      <FormDialog form={isAsking ? form : null} onClose={() => setAsking(false)} />
    </>
  )
}

async function refund(paymentId: string, { amount, reference, reason }: Record<Name, string>) {
  const yuan = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(amount.normalize('NFKC').replace(/[\s,，¥]/g, ''))
  // Not sent if it is not an amount: the gateway would refuse it with the same error.
  if (!yuan) throw new Refused('REFUND_AMOUNT_INVALID', new Response(null, { status: 400 }))
  const amountFen = Number(yuan[1]) * 100 + Number((yuan[2] ?? '').padEnd(2, '0'))
  const body = { amountFen, reference: reference.trim(), reason: reason.trim() }
  return askToWrite(() => operatorApi.POST('/payments/{paymentId}/refund', { params: { path: { paymentId } }, body }))
}
