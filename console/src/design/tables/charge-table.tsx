import { useTranslation } from 'react-i18next'
import type { Charge } from '../../api/types.ts'
import { useFormat } from '../../format/format.ts'
import { CopyId } from '../copy-id.tsx'
import { type Column, DataTable } from '../data-table.tsx'
import { ChargeMark } from '../state-mark.tsx'
import { Time } from '../time.tsx'
import { type Call, plainCall } from './call.ts'
import styles from './charge-table.module.css'

/** Calls and what was charged for them. */
export function ChargeTable({ charges, Call = plainCall }: { charges: readonly Charge[]; Call?: Call }) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<Charge>[] = [
    { key: 'time', title: t('usage.time'), narrow: 'untitled', cell: ({ reservedAt }) => <Time at={reservedAt} /> },
    {
      key: 'operation',
      title: t('usage.operation'),
      isMain: true,
      cell: ({ operation, chargeId }) => (
        <Call chargeId={chargeId} className={styles.operation}>
          {t(`operations.${operation}`)} <code>{operation}</code>
        </Call>
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
