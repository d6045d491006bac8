import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { LedgerEntry } from '../../api/types.ts'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './entry-table.module.css'

/** How an entry changes what can be spent. */
const signs = { credit: '+', reserve: '−', settle: '', release: '+', review: '' } as const

export function EntryTable({ entries }: { entries: readonly LedgerEntry[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<LedgerEntry>[] = [
    { key: 'seq', title: t('ledger.entry'), isNumber: true, narrow: 'omitted', cell: ({ seq }) => format.number(seq) },
    {
      key: 'kind',
      title: t('ledger.kind'),
      isMain: true,
      cell: ({ kind }) => (
        <span>
          {t(`ledger.kinds.${kind}`)} <span className={styles.effect}>{t(`ledger.effects.${kind}`)}</span>
        </span>
      ),
    },
    { key: 'about', title: t('ledger.about'), narrow: 'untitled', cell: (entry) => <About entry={entry} /> },
    { key: 'time', title: t('ledger.time'), narrow: 'untitled', cell: ({ enteredAt }) => format.dateTime(enteredAt) },
    {
      key: 'amount',
      title: t('ledger.amount'),
      isNumber: true,
      narrow: 'beside',
      cell: ({ kind, amount }) => (
        <span className={styles.amount} data-kind={kind}>
          {signs[kind]}
          {format.number(amount)}
        </span>
      ),
    },
    { key: 'reserved', title: t('ledger.reserved'), isNumber: true, cell: ({ reserved }) => format.number(reserved) },
    {
      key: 'available',
      title: t('ledger.available'),
      isNumber: true,
      cell: ({ available }) => <strong>{format.number(available)}</strong>,
    },
  ]
  return <DataTable caption={t('ledger.title')} columns={columns} rows={entries} rowKey={({ seq }) => String(seq)} />
}

function About({ entry: { chargeId, operation, orderId } }: { entry: LedgerEntry }) {
  const { t } = useTranslation()
  if (chargeId) {
    return <Link href={`/usage/${chargeId}`}>{operation ? t(`operations.${operation}`) : <code>{chargeId}</code>}</Link>
  }
  return orderId ? <Link href="/recharge">{t('nav.recharge')}</Link> : null
}
