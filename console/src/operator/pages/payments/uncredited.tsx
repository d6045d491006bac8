import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Mark, Time } from '../../../design/figures.tsx'
import { Notice, type Tone } from '../../../design/notice.tsx'
import { Sheet } from '../../../design/page.tsx'
import { useFormat } from '../../../format/format.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Payment } from '../../api/types.ts'
import { ActionButton } from '../../parts/form-dialog.tsx'
import { rowActions, useNotify } from '../../parts/parts.tsx'
import { Note } from './note.tsx'
import styles from './payments.module.css'
import { RefundEndButtons } from './refunds.tsx'

type Uncredited = Payment['uncredited'][number]

const tones: Record<Uncredited['state'], Tone> = {
  open: 'bad',
  crediting: 'wait',
  credited: 'good',
  refunding: 'wait',
  refunded: 'plain',
  review: 'bad',
}

interface Shown {
  readonly hasNotes: boolean
  /** Whether the operator can say how an unclear refund ended. */
  readonly mayDecide: boolean
}

function useUncreditedColumns({ hasNotes, mayDecide }: Shown): Column<Uncredited>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<Uncredited>[] = [
    {
      key: 'transaction',
      title: t('operator.payments.uncredited.transaction'),
      isMain: true,
      isText: true,
      cell: ({ transactionId }) => <code className={styles.transaction}>{transactionId}</code>,
    },
    {
      key: 'state',
      title: t('operator.payments.state'),
      narrow: 'untitled',
      cell: (row) => <Mark tone={tones[row.state]}>{t(`operator.payments.uncredited.states.${row.state}`)}</Mark>,
    },
    {
      key: 'amount',
      title: t('operator.payments.amount'),
      isNumber: true,
      cell: ({ amountFen, currency }) => format.money(amountFen, currency),
    },
    {
      key: 'paidAt',
      title: t('operator.payments.uncredited.paidAt'),
      cell: ({ paidAt }) => <Time at={paidAt} />,
    },
  ]
  if (hasNotes) {
    const title = t('operator.payments.uncredited.note')
    columns.push({ key: 'note', title, isText: true, cell: ({ note }) => <Note note={note} /> })
  }
  if (mayDecide) {
    columns.push({
      key: 'action',
      title: t('operator.payments.refundEnd.action'),
      narrow: 'untitled',
      cell: (row) => <UnclearEnd row={row} />,
    })
  }
  return columns
}

function UnclearEnd({ row: { state, refundId, transactionId, amountFen } }: { row: Uncredited }) {
  const { t } = useTranslation()
  const amount = useFormat().yuanOfFen(amountFen)
  if (state !== 'review' || refundId === null) return null
  return (
    <RefundEndButtons
      refund={{ refundId, reference: transactionId }}
      what={(outcome) => ({
        hint: t(`operator.payments.uncredited.${outcome}.hint`, { amount }),
        done: t(`operator.payments.uncredited.${outcome}.done`, { amount }),
      })}
    />
  )
}

/** Money that was received and not credited, with the two ways to end it. */
export function UncreditedMoney({ payment }: { payment: Payment }) {
  const { t } = useTranslation()
  const mayEnd = useMay('credits')
  const { uncredited, state, approvalId } = payment
  const openFen = uncredited.filter((row) => row.state === 'open').reduce((sum, row) => sum + row.amountFen, 0)
  const isInReview = state === 'review'
  const isUnclear = uncredited.some((row) => row.state === 'review')
  const columns = useUncreditedColumns({
    hasNotes: uncredited.some(({ note }) => note !== null),
    mayDecide: mayEnd && isUnclear && approvalId === null,
  })
  if (uncredited.length === 0 && !isInReview) return null
  const isOpen = openFen > 0 || (isInReview && uncredited.length === 0)
  const isEnded = uncredited.length > 0 && uncredited.every(({ state }) => state === 'credited' || state === 'refunded')
  const kind = isInReview ? 'review' : 'twice'
  return (
    <>
      {approvalId !== null && (isOpen || isUnclear) && (
        <Notice tone="wait" title={t('operator.payments.waitsForApproval')}>
          {t('operator.payments.uncredited.waits')} <Link href="/approvals">{t('operator.payments.approvals')}</Link>
        </Notice>
      )}
      {isOpen && approvalId === null && (
        <Notice tone="bad" title={t(`operator.payments.uncredited.${kind}Title`)}>
          {t(`operator.payments.uncredited.${kind}`)}
        </Notice>
      )}
      {isUnclear && approvalId === null && (
        <Notice tone="bad" title={t('operator.payments.uncredited.unclearTitle')}>
          {t('operator.payments.uncredited.unclear')}
        </Notice>
      )}
      <Sheet
        title={t(`operator.payments.uncredited.${isEnded ? 'endedTitle' : 'title'}`)}
        actions={mayEnd && isOpen && approvalId === null && <EndButtons {...{ payment, openFen }} />}
      >
        <DataTable
          caption={t('operator.payments.uncredited.title')}
          columns={columns}
          rows={uncredited}
          rowKey={({ transactionId }) => transactionId}
        />
      </Sheet>
    </>
  )
}

function EndButtons({ payment: { paymentId, state }, openFen }: { payment: Payment; openFen: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const notify = useNotify()
  const params = { path: { paymentId } }
  const amount = format.yuanOfFen(openFen)
  const outcomes = state === 'review' ? (['credit', 'refund'] as const) : (['refund'] as const)
  return (
    <span className={rowActions}>
      {outcomes.map((outcome) => (
        <ActionButton
          key={outcome}
          label={t(`operator.payments.uncredited.${outcome}.label`)}
          title={t(`operator.payments.uncredited.${outcome}.title`, { amount })}
          hint={t(`operator.payments.uncredited.${outcome}.hint`, { amount })}
          isDestructive={outcome === 'refund'}
          send={(reason) =>
            askToWrite(() => operatorApi.POST('/payments/{paymentId}/end', { params, body: { outcome, reason } }))
          }
          onDone={(ended) => {
            if (ended.approvalId !== null) return notify(t('operator.payments.refundApproval'), 'wait')
            notify(t(`operator.payments.uncredited.${outcome}.done`, { amount }))
          }}
        />
      ))}
    </span>
  )
}
