import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Time } from '../../../design/time.tsx'
import type { Overview } from '../../api/types.ts'
import { RunMark } from '../reconcile/run-mark.tsx'
import styles from './overview.module.css'

export function LastReconcile({ run }: { run: Overview['lastReconcile'] }) {
  const { t } = useTranslation()
  return (
    <p className={styles.reconcile}>
      <span>{t('operator.overview.lastReconcile')}</span>
      {run ? (
        <>
          <RunMark run={run} />
          <Link href={`/reconcile/${run.runId}`}>
            <Time at={run.startedAt} />
          </Link>
        </>
      ) : (
        <Link href="/reconcile">{t('operator.overview.neverReconciled')}</Link>
      )}
    </p>
  )
}
