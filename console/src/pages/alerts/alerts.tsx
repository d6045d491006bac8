import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { alertsPerDay } from '../../../../src/contract/choices.ts'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { alertsQuery, queryClient } from '../../api/queries.ts'
import { useMe } from '../../api/session.ts'
import type { AlertSettings } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { LoadingRows } from '../../design/loading-rows.tsx'
import { News } from '../../design/news.tsx'
import { Notice } from '../../design/notice.tsx'
import { PageHead } from '../../design/page-head.tsx'
import { Problem } from '../../design/problem.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { AlertTable } from './alert-table.tsx'
import styles from './alerts.module.css'
import { LowBalance } from './low-balance.tsx'

export function Alerts() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(alertsQuery)
  return (
    <div>
      <PageHead title={t('alerts.title')} lead={t('alerts.lead')} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Sheet>
          <LoadingRows rows={12} />
        </Sheet>
      )}
      {data && <Settings saved={data} />}
    </div>
  )
}

/** Nothing is sent before it is saved. */
function Settings({ saved }: { saved: AlertSettings }) {
  const { t } = useTranslation()
  const [changed, setChanged] = useState<AlertSettings | null>(null)
  const [saves, setSaves] = useState(0)
  const settings = changed ?? saved
  const saving = useMutation({
    mutationFn: (body: AlertSettings) => askToWrite(() => gateway.POST('/console/alerts', { body })),
    onSuccess(now) {
      queryClient.setQueryData(alertsQuery.queryKey, now)
      setChanged(null)
      setSaves((before) => before + 1)
    },
  })
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate(settings)
      }}
    >
      {saves > 0 && !changed && <News key={saves}>{t('alerts.saved')}</News>}
      <LowBalance
        saved={saved.lowBalanceCredits}
        credits={settings.lowBalanceCredits}
        onChange={(lowBalanceCredits) => setChanged({ ...settings, lowBalanceCredits })}
      />
      <Sheet title={t('alerts.whatTitle')}>
        <div className={styles.stack}>
          <Unverified />
          <AlertTable settings={settings} onChange={setChanged} />
          <p className={styles.note}>{t('alerts.limits', alertsPerDay)}</p>
        </div>
      </Sheet>
      {saving.error && <Problem error={saving.error} />}
      <div>
        <Button type="submit" loading={saving.isPending} disabled={changed === null}>
          {t('alerts.save')}
        </Button>
      </div>
    </form>
  )
}

function Unverified() {
  const { t } = useTranslation()
  const { recoveryEmailState } = useMe().account
  return (
    recoveryEmailState !== 'verified' && (
      <Notice tone="wait" actions={<Link href="/account">{t('alerts.verify')}</Link>}>
        {t('alerts.unverified')}
      </Notice>
    )
  )
}
