import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Empty } from '../../../design/empty.tsx'
import { Sheet } from '../../../design/sheet.tsx'
import { useFormat } from '../../../format/format.ts'
import { signInsQuery } from '../../api/queries.ts'
import type { AccountSignIn } from '../../api/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { shortId } from '../../parts/short-id.ts'

export function AccountSignIns({ accountId }: { accountId: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<AccountSignIn>[] = [
    {
      key: 'since',
      title: t('operator.accounts.signedInAt'),
      isMain: true,
      cell: ({ createdAt }) => format.dateTime(createdAt),
    },
    { key: 'ends', title: t('operator.accounts.endsAt'), cell: ({ expiresAt }) => format.dateTime(expiresAt) },
    {
      key: 'session',
      title: t('operator.accounts.session'),
      cell: ({ sessionId }) => <code>{shortId(sessionId)}</code>,
    },
  ]
  return (
    <Sheet title={t('operator.accounts.signIns')}>
      <Loaded query={signInsQuery(accountId)} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('operator.accounts.noSignIns')} />
          ) : (
            <DataTable
              caption={t('operator.accounts.signIns')}
              columns={columns}
              rows={items}
              rowKey={({ sessionId }) => sessionId}
            />
          )
        }
      </Loaded>
    </Sheet>
  )
}
