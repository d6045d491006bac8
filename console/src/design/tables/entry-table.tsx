import { useTranslation } from 'react-i18next'
import type { LedgerEntry } from '../../api/types.ts'
import { useFormat } from '../../format/format.ts'
import { CopyId } from '../copy-id.tsx'
import { type Column, DataTable } from '../data-table.tsx'
import { Time } from '../time.tsx'
import { type Call, plainCall } from './call.ts'
import styles from './entry-table.module.css'

/** How an entry changes what can be spent. */
const signs = { credit: '+', reserve: '−', settle: '', release: '+', review: '', grant: '+', withdraw: '−' } as const

interface EntryTableProps {
  readonly entries: readonly LedgerEntry[]
  /** Beside the details of the call: nothing has to lead there. */
  readonly isOfOneCall?: boolean
  readonly Call?: Call
}

export function EntryTable({ entries, isOfOneCall, Call = plainCall }: EntryTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const about: Column<LedgerEntry> = {
    key: 'about',
    title: t('ledger.about'),
    isText: true,
    narrow: 'untitled',
    cell: (entry) => <About entry={entry} Call={Call} />,
  }
  const columns: Column<LedgerEntry>[] = [
    { key: 'seq', title: t('ledger.entry'), isNumber: true, narrow: 'omitted', cell: ({ seq }) => format.number(seq) },
    { key: 'time', title: t('ledger.time'), narrow: 'untitled', cell: ({ enteredAt }) => <Time at={enteredAt} /> },
    {
      key: 'kind',
      title: t('ledger.kind'),
      isMain: true,
      cell: ({ kind }) => (
        <span className={styles.kind}>
          {t(`ledger.kinds.${kind}`)} <span className={styles.effect}>{t(`ledger.effects.${kind}`)}</span>
        </span>
      ),
    },
    ...(isOfOneCall ? [] : [about]),
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

function About({ entry: { chargeId, operation, orderId, reference }, Call }: { entry: LedgerEntry; Call: Call }) {
  const { t } = useTranslation()
  if (chargeId) {
    return (
      <Call chargeId={chargeId} className={styles.about}>
        {operation ? t(`operations.${operation}`) : <code>{chargeId}</code>}
      </Call>
    )
  }
  if (reference) return <span className={styles.reference}>{t('ledger.reference', { reference })}</span>
  return orderId ? <CopyId id={orderId} of={t('ledger.order')} isShort /> : null
}
