import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Charge } from '../../api/types.ts'
import { CopyId } from '../../design/copy-id.tsx'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { ChargeMark } from '../../design/state-mark.tsx'
import { Time } from '../../design/time.tsx'
import { useFormat } from '../../format/format.ts'
import { useHere } from '../../way-back.ts'
import styles from './charge-table.module.css'

/** Calls and what was charged for them; each leads to its details. */
export function ChargeTable({ charges }: { charges: readonly Charge[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const here = useHere()
  const columns: Column<Charge>[] = [
    { key: 'time', title: t('usage.time'), narrow: 'untitled', cell: ({ reservedAt }) => <Time at={reservedAt} /> },
    {
      key: 'operation',
      title: t('usage.operation'),
      isMain: true,
      cell: ({ operation, chargeId }) => (
        <Link href={`/usage/${chargeId}`} state={here} className={styles.operation}>
          {t(`operations.${operation}`)} <code>{operation}</code>
        </Link>
      ),
    },
    { key: 'state', title: t('usage.state'), narrow: 'untitled', cell: ({ state }) => <ChargeMark state={state} /> },
    {
      key: 'key',
      title: t('usage.key'),
      narrow: 'omitted',
      cell: ({ keyDisplayPrefix }) => <code>{keyDisplayPrefix}</code>,
    },
    {
      key: 'charge',
      title: t('usage.charge'),
      narrow: 'omitted',
      cell: ({ chargeId }) => <CopyId id={chargeId} of={t('usage.charge')} isShort />,
    },
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
