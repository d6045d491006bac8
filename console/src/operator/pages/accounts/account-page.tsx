import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'wouter'
import { CopyId } from '../../../design/copy-id.tsx'
import { Facts } from '../../../design/facts.tsx'
import { CreditFigure, Figures } from '../../../design/figures.tsx'
import { Notice } from '../../../design/notice.tsx'
import { PageHead } from '../../../design/page-head.tsx'
import { PageSkeleton } from '../../../design/page-skeleton.tsx'
import { Problem } from '../../../design/problem.tsx'
import { Sheet } from '../../../design/sheet.tsx'
import { wide } from '../../../design/wide.ts'
import { useFormat } from '../../../format/format.ts'
import { accountQuery } from '../../api/queries.ts'
import type { Account } from '../../api/types.ts'
import { AccountActions } from './account-actions.tsx'
import { AccountHistory } from './account-history.tsx'
import { AccountKeys } from './account-keys.tsx'
import { AccountSignIns } from './account-sign-ins.tsx'
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
          [t('operator.accounts.email'), `${account.recoveryEmailMasked} (${emailState})`],
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
