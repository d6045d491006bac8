import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { overviewQuery } from '../../api/queries.ts'
import { LoadingRows } from '../../design/loading-rows.tsx'
import { PageHead } from '../../design/page-head.tsx'
import { Problem } from '../../design/problem.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { FirstSteps } from './first-steps.tsx'
import { LatestCalls } from './latest-calls.tsx'
import { QuickStart } from './quick-start.tsx'
import { Spending } from './spending.tsx'
import { WhereCreditsAre } from './where-credits-are.tsx'

export function Overview() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(overviewQuery)
  return (
    <div>
      <PageHead title={t('overview.title')} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Sheet>
          <LoadingRows />
        </Sheet>
      )}
      {data && (
        <>
          {!(data.firstSteps.hasOrder && data.firstSteps.hasKey && data.firstSteps.hasCall) && (
            <FirstSteps steps={data.firstSteps} />
          )}
          <WhereCreditsAre overview={data} />
          <Spending overview={data} />
          {data.firstSteps.hasCall && <LatestCalls />}
          <QuickStart baseUrl={data.baseUrl} />
        </>
      )}
    </div>
  )
}
