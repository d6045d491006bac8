import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { ledgerQuery } from '../../api/queries.ts'
import { Empty } from '../../design/empty.tsx'
import { ExportCsv } from '../../design/export-csv.tsx'
import { PageHead } from '../../design/page-head.tsx'
import { PagedTable } from '../../design/paged-table.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { EntryTable } from './entry-table.tsx'
import styles from './ledger.module.css'

export function Ledger() {
  const { t } = useTranslation()
  const [days, setDays] = useState({ from: '', to: '' })
  const set = (name: 'from' | 'to') => (event: { currentTarget: { value: string } }) =>
    setDays({ ...days, [name]: event.currentTarget.value })
  return (
    <div>
      <PageHead title={t('ledger.title')} lead={t('ledger.lead')} />
      <Sheet>
        <PagedTable
          query={ledgerQuery}
          caption={t('ledger.title')}
          columns={[]}
          rowKey={({ seq }) => String(seq)}
          empty={
            <Empty
              title={t('ledger.none')}
              hint={t('ledger.noneHint')}
              actions={<Link href="/recharge">{t('nav.recharge')}</Link>}
            />
          }
        >
          {(entries) => <EntryTable entries={entries} />}
        </PagedTable>
      </Sheet>
      <Sheet title={t('ledger.exportTitle')}>
        <div className={styles.export}>
          <TextInput type="date" label={t('ledger.from')} value={days.from} onChange={set('from')} />
          <TextInput type="date" label={t('ledger.to')} value={days.to} onChange={set('to')} />
          <ExportCsv path="/console/ledger.csv" days={days} />
        </div>
      </Sheet>
    </div>
  )
}
