import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Charge } from '../../api/types.ts'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { ChargeMark } from '../../design/state-mark.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './charge-table.module.css'

/** Calls and what became of their price; each leads to its receipt. */
export function ChargeTable({ charges }: { charges: readonly Charge[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<Charge>[] = [
    {
      key: 'operation',
      title: t('usage.operation'),
      isMain: true,
      cell: ({ operation, chargeId }) => (
        <Link href={`/usage/${chargeId}`} className={styles.operation}>
          {t(`operations.${operation}`)} <code>{operation}</code>
        </Link>
      ),
    },
    { key: 'time', title: t('usage.time'), narrow: 'untitled', cell: ({ reservedAt }) => format.dateTime(reservedAt) },
    {
      key: 'key',
      title: t('usage.key'),
      narrow: 'omitted',
      cell: ({ keyDisplayPrefix }) => <code>{keyDisplayPrefix}</code>,
    },
    { key: 'state', title: t('usage.state'), narrow: 'untitled', cell: ({ state }) => <ChargeMark state={state} /> },
    {
      key: 'credits',
      title: t('usage.credits'),
      isNumber: true,
      narrow: 'beside',
      cell: ({ credits, state }) => (
        <span className={styles.credits} data-released={state === 'released' || undefined}>
          {format.number(credits)}
        </span>
      ),
    },
  ]
  return <DataTable caption={t('usage.table')} columns={columns} rows={charges} rowKey={({ chargeId }) => chargeId} />
}
