import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { signInsQuery } from '../../api/queries.ts'
import type { SignIn } from '../../api/types.ts'
import { RowButton } from '../../design/button.tsx'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { LoadingRows } from '../../design/loading-rows.tsx'
import { News } from '../../design/news.tsx'
import { Problem } from '../../design/problem.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { Mark } from '../../design/state-mark.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './account.module.css'
import { EndSignIn } from './end-sign-in.tsx'
import { SignOutEverywhere } from './sign-out-everywhere.tsx'

/** Where the account is signed in, and how to end that one by one or everywhere. */
export function SignIns() {
  const { t } = useTranslation()
  const format = useFormat()
  const { data, error, refetch } = useQuery(signInsQuery)
  const [ending, setEnding] = useState<SignIn | null>(null)
  const [ended, setEnded] = useState<SignIn | null>(null)
  return (
    <Sheet title={t('account.signIns')} actions={<SignOutEverywhere />}>
      <div className={styles.stack}>
        {ended && (
          <News key={ended.sessionId}>{t('account.endedNews', { time: format.dateTime(ended.createdAt) })}</News>
        )}
        {data ? (
          <SignInTable signIns={data.items} onEnd={setEnding} />
        ) : error ? (
          <Problem error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingRows rows={2} />
        )}
      </div>
      <EndSignIn ending={ending} onClose={() => setEnding(null)} onEnded={setEnded} />
    </Sheet>
  )
}

interface SignInTableProps {
  readonly signIns: readonly SignIn[]
  readonly onEnd: (signIn: SignIn) => void
}

function SignInTable({ signIns, onEnd }: SignInTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<SignIn>[] = [
    {
      key: 'since',
      title: t('account.signedInAt'),
      isMain: true,
      cell: ({ createdAt }) => format.dateTime(createdAt),
    },
    { key: 'ends', title: t('account.endsAt'), cell: ({ expiresAt }) => format.dateTime(expiresAt) },
    {
      key: 'action',
      title: t('keys.action'),
      isNumber: true,
      narrow: 'beside',
      cell: (signIn) =>
        signIn.isCurrent ? (
          <Mark tone="good">{t('account.thisOne')}</Mark>
        ) : (
          <RowButton
            onClick={() => onEnd(signIn)}
            aria-label={t('account.endLabel', { time: format.dateTime(signIn.createdAt) })}
          >
            {t('account.end')}
          </RowButton>
        ),
    },
  ]
  return (
    <DataTable caption={t('account.signIns')} columns={columns} rows={signIns} rowKey={({ sessionId }) => sessionId} />
  )
}
