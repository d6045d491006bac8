import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { overviewQuery } from '../../api/queries.ts'
import { PageHead } from '../../design/page-head.tsx'
import { PageSkeleton } from '../../design/page-skeleton.tsx'
import { Problem } from '../../design/problem.tsx'
import { DailyChart } from '../usage/daily-chart.tsx'
import { Available } from './available.tsx'
import { FirstSteps } from './first-steps.tsx'
import { LatestCalls } from './latest-calls.tsx'
import { QuickStart } from './quick-start.tsx'

/** What can be spent, what was spent lately, and the latest calls; for a new project, how to get there. */
export function Overview() {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const { data, error, refetch } = useQuery(overviewQuery)
  if (!data && !error) return <PageSkeleton label={t('common.loading')} />
  const isNew = data && !(data.firstSteps.hasOrder && data.firstSteps.hasKey && data.firstSteps.hasCall)
  return (
    <div>
      <PageHead title={t('overview.title')} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          {isNew && <FirstSteps steps={data.firstSteps} />}
          {data.bought > 0 && <Available overview={data} isQuiet={isNew === true} />}
          {data.firstSteps.hasCall && (
            <>
              <DailyChart
                chosenDay={undefined}
                onChoose={(from: string, to = from) => navigate(`/usage?from=${from}&to=${to}`)}
              />
              <LatestCalls />
            </>
          )}
          {isNew && <QuickStart baseUrl={data.baseUrl} />}
        </>
      )}
    </div>
  )
}
