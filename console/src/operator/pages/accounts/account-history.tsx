import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../../design/empty.tsx'
import { PagedTable } from '../../../design/paged-table.tsx'
import { Segments } from '../../../design/segments.tsx'
import { Sheet } from '../../../design/sheet.tsx'
import { ChargeTable } from '../../../design/tables/charge-table.tsx'
import { EntryTable } from '../../../design/tables/entry-table.tsx'
import { OrderTable } from '../../../design/tables/order-table.tsx'
import { chargesQuery, ledgerQuery, ordersQuery } from '../../api/queries.ts'

const views = ['ledger', 'charges', 'orders'] as const
type View = (typeof views)[number]

/** The ledger, calls and orders of an account, one of them at a time. */
export function AccountHistory({ accountId }: { accountId: string }) {
  const { t } = useTranslation()
  const [view, setView] = useState<View>('ledger')
  return (
    <Sheet
      title={t('operator.accounts.history')}
      actions={
        <Segments
          aria-label={t('operator.accounts.history')}
          value={view}
          onChange={setView}
          data={views.map((value) => ({ value, label: t(`operator.accounts.views.${value}`) }))}
        />
      }
    >
      {view === 'ledger' && (
        <PagedTable query={ledgerQuery(accountId)} empty={<Empty title={t('ledger.none')} />}>
          {(entries) => <EntryTable entries={entries} />}
        </PagedTable>
      )}
      {view === 'charges' && (
        <PagedTable query={chargesQuery(accountId)} empty={<Empty title={t('usage.noneYet')} />}>
          {(charges) => <ChargeTable charges={charges} />}
        </PagedTable>
      )}
      {view === 'orders' && <OrderTable query={ordersQuery(accountId)} />}
    </Sheet>
  )
}
