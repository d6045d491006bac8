import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, Redirect, useParams } from 'wouter'
import { Segments } from '../../../design/choices.tsx'
import { CopyId } from '../../../design/copy.tsx'
import { type Column, DataTable, PagedTable } from '../../../design/data-table.tsx'
import { CreditFigure, Facts, Figures, KeyLabel, KeyMark, Time } from '../../../design/figures.tsx'
import { Empty, Notice, Problem } from '../../../design/notice.tsx'
import { PageHead, PageSkeleton, Sheet, wide } from '../../../design/page.tsx'
import { ChargeTable, EntryTable, OrderTable } from '../../../design/tables.tsx'
import { keyText, useFormat } from '../../../format/format.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { accountQuery, chargesQuery, findQuery, ledgerQuery, ordersQuery, signInsQuery } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import type { Account, AccountKey, AccountSignIn } from '../../api/types.ts'
import { useAddressFilter } from '../../parts/address-filter.ts'
import { ActionButton } from '../../parts/form-dialog.tsx'
import { CallLink, Loaded, shortId } from '../../parts/parts.tsx'
import { AccountActions } from './account-actions.tsx'
import styles from './accounts.module.css'
import { AccountMark } from './accounts.tsx'

export function AccountPage() {
  const { t } = useTranslation()
  const { accountId = '' } = useParams()
  const { data: account, error, refetch } = useQuery(accountQuery(accountId))
  if (!account && !error) return <PageSkeleton label={t('common.loading')} />
  if (!account) {
    return (
      <div>
        <PageHead title={t('common.notFound')} lead={accountId} />
        <Problem error={error} onRetry={() => void refetch()} />
      </div>
    )
  }
  return (
    <div className={wide}>
      <PageHead
        title={t('operator.accounts.accountTitle', { phone: account.phoneMasked })}
        lead={<Link href="/accounts">{t('operator.accounts.back')}</Link>}
        actions={<AccountActions account={account} />}
      />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      <Suspension account={account} />
      <div className={styles.columns}>
        <Balance account={account} />
        <Profile account={account} />
      </div>
      <div className={styles.columns}>
        <AccountKeys account={account} />
        <AccountSignIns accountId={account.accountId} />
      </div>
      <AccountHistory accountId={account.accountId} />
      <p>
        <Link href={`/audit?object=${account.accountId}`}>{t('operator.accounts.auditOf')}</Link>
      </p>
    </div>
  )
}

function Suspension({ account: { suspendedAt, suspensionReason } }: { account: Account }) {
  const { t } = useTranslation()
  const format = useFormat()
  return suspendedAt ? (
    <Notice tone="bad" title={t('operator.accounts.suspendedTitle', { time: format.dateTime(suspendedAt) })}>
      {suspensionReason}
    </Notice>
  ) : null
}

function Balance({ account: { balance } }: { account: Account }) {
  const { t } = useTranslation()
  return (
    <Sheet title={t('operator.accounts.balance')}>
      <Figures>
        {(['available', 'reserved', 'settled', 'credited'] as const).map((name) => (
          <CreditFigure
            key={name}
            title={t(`operator.accounts.${name}`)}
            credits={balance[name]}
            isMain={name === 'available'}
          />
        ))}
      </Figures>
    </Sheet>
  )
}

function Profile({ account }: { account: Account }) {
  const { t } = useTranslation()
  const format = useFormat()
  const emailState = t(`operator.accounts.emailStates.${account.recoveryEmailState}`)
  return (
    <Sheet title={t('operator.accounts.profile')}>
      <Facts
        facts={[
          [t('operator.accounts.state'), <AccountMark key="state" state={account.state} />],
          [t('operator.accounts.phone'), account.phoneMasked],
          [t('operator.accounts.email'), `${account.recoveryEmailMasked}${t('common.note', { text: emailState })}`],
          [
            t('operator.accounts.secondFactor'),
            t(`operator.accounts.secondFactorStates.${account.hasSecondFactor ? 'on' : 'off'}`),
          ],
          [t('operator.accounts.created'), format.dateTime(account.createdAt)],
          [
            t('operator.accounts.account'),
            <CopyId key="a" id={account.accountId} of={t('operator.accounts.account')} />,
          ],
          [
            t('operator.accounts.project'),
            <CopyId key="p" id={account.projectId} of={t('operator.accounts.project')} />,
          ],
        ]}
      />
    </Sheet>
  )
}

export function ProjectPage() {
  const { t } = useTranslation()
  const { projectId = '' } = useParams()
  const { data, error, refetch } = useQuery(findQuery({ id: projectId }))
  const found = data?.items[0]
  if (found) return <Redirect to={`/accounts/${found.accountId}`} replace />
  if (!data && !error) return <PageSkeleton label={t('operator.accounts.looking')} />
  return (
    <div>
      <PageHead title={t('common.notFound')} lead={projectId} />
      <Problem error={error ?? 'PROJECT_NOT_FOUND'} onRetry={() => void refetch()} />
    </div>
  )
}

const views = ['ledger', 'charges', 'orders'] as const

function AccountHistory({ accountId }: { accountId: string }) {
  const { t } = useTranslation()
  const [view, setView] = useAddressFilter('view', views, 'ledger')
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
          {(entries) => <EntryTable entries={entries} Call={CallLink} />}
        </PagedTable>
      )}
      {view === 'charges' && (
        <PagedTable query={chargesQuery(accountId)} empty={<Empty title={t('usage.noneYet')} />}>
          {(charges) => <ChargeTable charges={charges} Call={CallLink} />}
        </PagedTable>
      )}
      {view === 'orders' && <OrderTable query={ordersQuery(accountId)} />}
    </Sheet>
  )
}

function AccountKeys({ account: { keys } }: { account: Account }) {
  const { t } = useTranslation()
  const mayRevoke = useMay('keys')
  const columns: Column<AccountKey>[] = [
    {
      key: 'key',
      title: t('operator.accounts.key'),
      isMain: true,
      cell: ({ name, displayPrefix }) => <KeyLabel name={name} prefix={displayPrefix} />,
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
            narrow: 'inline' as const,
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

function Revoke({ revoked }: { revoked: AccountKey }) {
  const { t } = useTranslation()
  const { keyId } = revoked
  const prefix = keyText(revoked)
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

function AccountSignIns({ accountId }: { accountId: string }) {
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
