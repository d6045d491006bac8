import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { signInsQuery } from '../../api/queries.ts'
import type { SignIn } from '../../api/types.ts'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { LoadingRows } from '../../design/loading-rows.tsx'
import { Problem } from '../../design/problem.tsx'
import { Mark } from '../../design/state-mark.tsx'
import { useFormat } from '../../format/format.ts'

export function SignIns() {
  const { t } = useTranslation()
  const format = useFormat()
  const { data, error, refetch } = useQuery(signInsQuery)
  const columns: Column<SignIn>[] = [
    {
      key: 'since',
      title: t('account.signedInAt'),
      isMain: true,
      cell: ({ createdAt }) => format.dateTime(createdAt),
    },
    { key: 'ends', title: t('account.endsAt'), cell: ({ expiresAt }) => format.dateTime(expiresAt) },
    {
      key: 'state',
      title: t('usage.state'),
      cell: ({ isCurrent }) => (
        <Mark tone={isCurrent ? 'good' : 'plain'}>{t(isCurrent ? 'account.thisOne' : 'keyStates.active')}</Mark>
      ),
    },
  ]
  if (!data) return error ? <Problem error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={2} />
  return (
    <DataTable
      caption={t('account.signIns')}
      columns={columns}
      rows={data.items}
      rowKey={({ sessionId }) => sessionId}
    />
  )
}
