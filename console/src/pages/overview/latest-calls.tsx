import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { usageQuery } from '../../api/queries.ts'
import { LoadingRows } from '../../design/loading-rows.tsx'
import { Problem } from '../../design/problem.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { ChargeTable } from '../../design/tables/charge-table.tsx'
import { CallLink } from '../call-link.tsx'

const shown = 5

export function LatestCalls() {
  const { t } = useTranslation()
  const { data, error, refetch } = useInfiniteQuery(usageQuery({}))
  return (
    <Sheet title={t('overview.recent')} actions={<Link href="/usage">{t('overview.allCalls')}</Link>}>
      {data ? (
        <ChargeTable charges={data.pages[0]!.items.slice(0, shown)} Call={CallLink} />
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={shown} />
      )}
    </Sheet>
  )
}
