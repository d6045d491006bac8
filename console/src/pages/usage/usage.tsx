import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'wouter'
import { usageQuery } from '../../api/queries.ts'
import { Empty } from '../../design/empty.tsx'
import { ExportCsv } from '../../design/export-csv.tsx'
import { PageHead } from '../../design/page-head.tsx'
import { PagedTable } from '../../design/paged-table.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { ChargeTable } from './charge-table.tsx'
import { DailyChart } from './daily-chart.tsx'
import { UsageFilterForm } from './usage-filter-form.tsx'
import { filtersOf, isFiltered, paramsOf } from './usage-filters.ts'

/** Filters are part of the address, so that a view can be kept and shared. */
export function Usage() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const filters = filtersOf(params)
  return (
    <div>
      <PageHead title={t('usage.title')} lead={t('usage.lead')} />
      <DailyChart
        chosenDay={filters.from === filters.to ? filters.from : undefined}
        onChoose={(day) => setParams(paramsOf({ ...filters, from: day, to: day }), { replace: true })}
      />
      <Sheet
        title={t('usage.table')}
        actions={<ExportCsv path="/console/usage.csv" days={filters} hint={t('usage.exportHint')} />}
      >
        <UsageFilterForm filters={filters} onChange={(changed) => setParams(paramsOf(changed), { replace: true })} />
        <PagedTable
          query={usageQuery(filters)}
          caption={t('usage.table')}
          columns={[]}
          rowKey={({ chargeId }) => chargeId}
          empty={
            isFiltered(filters) ? (
              <Empty
                title={t('usage.none')}
                actions={
                  <Button variant="default" size="compact-sm" onClick={() => setParams({}, { replace: true })}>
                    {t('usage.clear')}
                  </Button>
                }
              />
            ) : (
              <Empty
                title={t('usage.noneYet')}
                hint={t('usage.noneYetHint')}
                actions={<Link href="/playground">{t('nav.playground')}</Link>}
              />
            )
          }
        >
          {(charges) => <ChargeTable charges={charges} />}
        </PagedTable>
      </Sheet>
    </div>
  )
}
