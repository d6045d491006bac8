import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Empty } from '../../../design/empty.tsx'
import { Sheet } from '../../../design/sheet.tsx'
import { KeyMark } from '../../../design/state-mark.tsx'
import { Time } from '../../../design/time.tsx'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Account, AccountKey } from '../../api/types.ts'
import { ActionButton } from '../../parts/action-button.tsx'

export function AccountKeys({ account: { keys } }: { account: Account }) {
  const { t } = useTranslation()
  const mayRevoke = useMay('keys')
  const columns: Column<AccountKey>[] = [
    {
      key: 'key',
      title: t('operator.accounts.key'),
      isMain: true,
      cell: ({ displayPrefix }) => <code>{displayPrefix}</code>,
    },
    {
      key: 'state',
      title: t('operator.accounts.keyState'),
      narrow: 'untitled',
      cell: ({ revokedAt }) => (
        <span>
          <KeyMark state={revokedAt ? 'revoked' : 'active'} /> {revokedAt && <Time at={revokedAt} />}
        </span>
      ),
    },
    ...(mayRevoke
      ? [
          {
            key: 'action',
            title: t('operator.accounts.action'),
            isNumber: true,
            narrow: 'beside' as const,
            cell: (key: AccountKey) => (key.revokedAt ? null : <Revoke revoked={key} />),
          },
        ]
      : []),
  ]
  return (
    <Sheet title={t('operator.accounts.keys')}>
      {keys.length === 0 ? (
        <Empty title={t('operator.accounts.noKeys')} />
      ) : (
        <DataTable caption={t('operator.accounts.keys')} columns={columns} rows={keys} rowKey={({ keyId }) => keyId} />
      )}
    </Sheet>
  )
}

function Revoke({ revoked: { keyId, displayPrefix: prefix } }: { revoked: AccountKey }) {
  const { t } = useTranslation()
  return (
    <ActionButton
      size="compact-xs"
      label={t('operator.accounts.revoke')}
      ariaLabel={t('operator.accounts.revokeLabel', { prefix })}
      title={t('operator.accounts.revokeTitle', { prefix })}
      hint={t('operator.accounts.revokeHint')}
      isDestructive
      send={(reason) =>
        askToWrite(() => operatorApi.POST('/keys/{keyId}/revoke', { params: { path: { keyId } }, body: { reason } }))
      }
      news={t('operator.accounts.revoked', { prefix })}
    />
  )
}
