import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { DayChart } from '../../../design/chart/day-chart.tsx'
import { daysOf } from '../../../design/chart/days.ts'
import { PageHead } from '../../../design/page-head.tsx'
import { PageSkeleton } from '../../../design/page-skeleton.tsx'
import { Problem } from '../../../design/problem.tsx'
import { Sheet } from '../../../design/sheet.tsx'
import { wide } from '../../../design/wide.ts'
import { addDays, dayAt } from '../../../format/calendar.ts'
import { overviewQuery } from '../../api/queries.ts'
import type { Overview } from '../../api/types.ts'
import { ProviderTable } from '../providers/provider-table.tsx'
import { Activity } from './activity.tsx'
import { Attention } from './attention.tsx'
import { CreditTotals } from './credit-totals.tsx'
import { InstanceTable } from './instance-table.tsx'
import { Live } from './live.tsx'
import { MinuteChart } from './minute-chart.tsx'

const shownDays = 30

/** What happens now, without reloading. */
export function OperatorOverview() {
  const { t } = useTranslation()
  const { data, error, refetch, dataUpdatedAt } = useQuery(overviewQuery)
  return (
    <div className={wide}>
      <PageHead
        title={t('operator.overview.title')}
        actions={data && <Live updatedAt={dataUpdatedAt} isFailing={error !== null} />}
      />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data ? <Figures overview={data} /> : !error && <PageSkeleton label={t('common.loading')} />}
    </div>
  )
}

function Figures({ overview }: { overview: Overview }) {
  const { t } = useTranslation()
  const to = dayAt(Date.now())
  const from = addDays(to, 1 - shownDays)
  return (
    <>
      <Attention overview={overview} />
      <CreditTotals overview={overview} />
      <MinuteChart activity={overview.instance} />
      <Activity activity={overview.instance} />
      <Sheet title={t('operator.overview.days')}>
        <DayChart label={t('operator.overview.days')} days={daysOf({ from, to, items: overview.days })} />
      </Sheet>
      <Sheet title={t('operator.overview.providers')}>
        <ProviderTable caption={t('operator.overview.providers')} providers={overview.providers} />
      </Sheet>
      <Sheet title={t('operator.overview.instances')}>
        <InstanceTable instances={overview.instances} />
      </Sheet>
    </>
  )
}
