import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Column } from '../../../design/data-table.tsx'
import { Mark, Time } from '../../../design/figures.tsx'
import type { Tone } from '../../../design/notice.tsx'
import { useFormat } from '../../../format/format.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { PaymentDifference } from '../../api/types.ts'
import { ActionButton } from '../../parts/form-dialog.tsx'
import { shortId } from '../../parts/parts.tsx'
import styles from './payments.module.css'

const outcomeTones: Record<PaymentDifference['outcome'], Tone> = {
  credited: 'good',
  review: 'bad',
  open: 'bad',
  settled: 'plain',
}

interface ComparedDay {
  readonly date: string
  readonly method: string
}

export function useDifferenceColumns(day: ComparedDay): Column<PaymentDifference>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const maySettle = useMay('credits')
  const yuan = (fen: number | null) => fen !== null && format.yuanOfFen(fen)
  return [
    {
      key: 'kind',
      title: t('operator.payments.comparisons.kind'),
      isMain: true,
      cell: ({ kind }) => t(`operator.payments.comparisons.kinds.${kind}`),
    },
    {
      key: 'outcome',
      title: t('operator.payments.comparisons.outcome'),
      narrow: 'untitled',
      cell: ({ outcome }) => (
        <Mark tone={outcomeTones[outcome]}>{t(`operator.payments.comparisons.outcomes.${outcome}`)}</Mark>
      ),
    },
    {
      key: 'payment',
      title: t('operator.payments.payment'),
      cell: ({ paymentId }) =>
        paymentId !== null && (
          <Link href={`/payments/${paymentId}`} title={paymentId}>
            <code>{shortId(paymentId)}</code>
          </Link>
        ),
    },
    {
      key: 'transaction',
      title: t('operator.payments.transaction'),
      isText: true,
      cell: ({ transactionId }) => transactionId !== null && <code>{transactionId}</code>,
    },
    {
      key: 'here',
      title: t('operator.payments.comparisons.here'),
      isNumber: true,
      cell: ({ amountFenHere }) => yuan(amountFenHere),
    },
    {
      key: 'there',
      title: t('operator.payments.comparisons.there'),
      isNumber: true,
      cell: ({ amountFenThere }) => yuan(amountFenThere),
    },
    {
      key: 'settled',
      title: t('operator.payments.comparisons.settlement'),
      isText: true,
      narrow: 'untitled',
      cell: (difference) => {
        const { settled, outcome } = difference
        if (settled) {
          return (
            <span className={styles.settled}>
              {settled.reason}
              <span>
                {settled.by}, <Time at={settled.at} />
              </span>
            </span>
          )
        }
        return maySettle && outcome !== 'credited' && <SettleButton day={day} difference={difference} />
      },
    },
  ]
}

function SettleButton({ day: path, difference }: { day: ComparedDay; difference: PaymentDifference }) {
  const { t } = useTranslation()
  const { differenceId, kind, paymentId, transactionId } = difference
  const label = t('operator.payments.comparisons.settle')
  return (
    <ActionButton
      label={label}
      ariaLabel={`${label}: ${transactionId ?? paymentId ?? differenceId}`}
      title={t('operator.payments.comparisons.settleTitle', {
        kind: t(`operator.payments.comparisons.kinds.${kind}`),
      })}
      hint={t('operator.payments.comparisons.settleHint')}
      send={(reason) =>
        askToWrite(() =>
          operatorApi.POST('/payment-comparisons/{date}/{method}/settle', {
            params: { path },
            body: { differenceId, reason },
          }),
        )
      }
      news={t('operator.payments.comparisons.settledNews')}
    />
  )
}
