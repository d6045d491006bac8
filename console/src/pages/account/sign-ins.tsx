import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isRefused } from '../../api/ask.ts'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { queryClient, signInsQuery } from '../../api/queries.ts'
import { session } from '../../api/session.ts'
import type { SignIn } from '../../api/types.ts'
import { Button, RowButton } from '../../design/button.tsx'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Mark } from '../../design/figures.tsx'
import { LoadingRows, News, Problem } from '../../design/notice.tsx'
import { Sheet, stack } from '../../design/page.tsx'
import { useFormat } from '../../format/format.ts'

export function SignIns() {
  const { t } = useTranslation()
  const format = useFormat()
  const { data, error, refetch } = useQuery(signInsQuery)
  const [ending, setEnding] = useState<SignIn | null>(null)
  const [ended, setEnded] = useState<SignIn | null>(null)
  return (
    <Sheet title={t('account.signIns')} actions={<SignOutEverywhere />}>
      <div className={stack}>
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
    {
      key: 'device',
      title: t('account.device'),
      narrow: 'untitled',
      cell: ({ browser, network }) => [browser ?? t('account.unknownDevice'), network].filter(Boolean).join(' · '),
    },
    { key: 'ends', title: t('account.endsAt'), cell: ({ expiresAt }) => format.dateTime(expiresAt) },
    {
      key: 'action',
      title: t('keys.action'),
      isNumber: true,
      narrow: 'inline',
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

interface EndSignInProps {
  readonly ending: SignIn | null
  readonly onClose: () => void
  readonly onEnded: (signIn: SignIn) => void
}

function EndSignIn({ ending, onClose, onEnded }: EndSignInProps) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('account.endTitle')} isOpen={ending !== null} onClose={onClose}>
      {ending && <Confirmation ending={ending} onClose={onClose} onEnded={onEnded} />}
    </Dialog>
  )
}

interface ConfirmationProps {
  readonly ending: SignIn
  readonly onClose: () => void
  readonly onEnded: (signIn: SignIn) => void
}

function Confirmation({ ending, onClose, onEnded }: ConfirmationProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const ends = useMutation({
    mutationFn: () => endSession(ending.sessionId),
    onSuccess() {
      onClose()
      onEnded(ending)
    },
    // Refetch either way.
    onSettled: () => void queryClient.invalidateQueries(signInsQuery),
  })
  return (
    <>
      <p>{t('account.endHint', { time: format.dateTime(ending.createdAt) })}</p>
      {ends.error && <Problem error={ends.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button isDestructive loading={ends.isPending} onClick={() => ends.mutate()}>
          {t('account.end')}
        </Button>
      </DialogActions>
    </>
  )
}

async function endSession(sessionId: string): Promise<void> {
  const send = () => gateway.POST('/console/sessions/{sessionId}/end', { params: { path: { sessionId } }, body: {} })
  await askToWrite(send).catch((error) => {
    // Already ended, which is the goal.
    if (!isRefused(error, 'NOT_FOUND')) throw error
  })
}

function SignOutEverywhere() {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const leaving = useMutation({ mutationFn: session.signOutEverywhere })
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setAsking(true)}>
        {t('account.signOutEverywhere')}
      </Button>
      <Dialog title={t('account.everywhereTitle')} isOpen={isAsking} onClose={() => setAsking(false)}>
        <p>{t('account.everywhereHint')}</p>
        {leaving.error && <Problem error={leaving.error} />}
        <DialogActions>
          <Button variant="default" onClick={() => setAsking(false)}>
            {t('common.cancel')}
          </Button>
          <Button isDestructive loading={leaving.isPending} onClick={() => leaving.mutate()}>
            {t('account.signOutEverywhere')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
