import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'wouter'
import { csvOf, overviewQuery, usageQuery } from '../../api/queries.ts'
import { Button } from '../../design/button.tsx'
import { Empty } from '../../design/empty.tsx'
import { ExportButton, ExportOutcome, useExportCsv } from '../../design/export-csv.tsx'
import { PageHead } from '../../design/page-head.tsx'
import { PagedTable } from '../../design/paged-table.tsx'
import { WrongPeriod } from '../../design/period-filter.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { ChargeTable } from '../../design/tables/charge-table.tsx'
import { wide } from '../../design/wide.ts'
import { isBackwards } from '../../format/calendar.ts'
import { useFormat } from '../../format/format.ts'
import { CallLink } from '../call-link.tsx'
import { DailyChart } from './daily-chart.tsx'
import styles from './usage.module.css'
import { UsageFilterForm } from './usage-filter-form.tsx'
import { chartFilters, isFiltered, listFilters, paramsOf, type UsageView, viewOf } from './usage-filters.ts'

/** The view is part of the address, so that it can be kept and shared. */
export function Usage() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const view = viewOf(params)
  const show = (next: UsageView) => setParams(paramsOf(next), { replace: true })
  const exporting = useExportCsv(csvOf('/console/usage.csv', listFilters(view)))
  const isWrong = isBackwards(view)
  const { data: overview } = useQuery(overviewQuery)
  // Without a call there is nothing to filter or to draw.
  const isNew = overview?.firstSteps.hasCall === false && !isFiltered(view)

  function choose(from: string, to: string) {
    const { day, ...filters } = view
    // A week becomes the period; a day is chosen within it, and left again by choosing it once more.
    show(from !== to ? { ...filters, from, to } : day === from ? filters : { ...filters, day: from })
  }
  return (
    <div className={wide}>
      <PageHead
        title={t('usage.title')}
        lead={t('usage.lead')}
        actions={!isNew && <ExportButton exporting={exporting} isDisabled={isWrong} />}
      />
      <ExportOutcome exporting={exporting} />
      {!isNew && <UsageFilterForm view={view} onChange={show} />}
      {!isNew && !isWrong && <DailyChart chosenDay={view.day} onChoose={choose} filters={chartFilters(view)} />}
      {isWrong ? <WrongPeriod /> : <Calls view={view} onChange={show} />}
    </div>
  )
}

function Calls({ view, onChange }: { view: UsageView; onChange: (view: UsageView) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { day, ...filters } = view
  return (
    <Sheet
      title={t('usage.table')}
      actions={
        day && (
          <span className={styles.day}>
            {t('usage.ofDay', { day: format.day(day) })}
            <Button variant="default" size="compact-sm" onClick={() => onChange(filters)}>
              {t('usage.allDays')}
            </Button>
          </span>
        )
      }
    >
      <PagedTable
        query={usageQuery(listFilters(view))}
        empty={
          isFiltered(view) ? (
            <Empty
              title={t('usage.none')}
              actions={
                <Button variant="default" size="compact-sm" onClick={() => onChange({})}>
                  {t('tables.clear')}
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
        {(charges) => <ChargeTable charges={charges} Call={CallLink} />}
      </PagedTable>
    </Sheet>
  )
}
