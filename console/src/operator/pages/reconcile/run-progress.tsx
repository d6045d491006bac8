import { useTranslation } from 'react-i18next'
import { Bar } from '../../../design/bar.tsx'
import { useFormat } from '../../../format/format.ts'
import type { ReconcileRun } from '../../api/types.ts'

/** How far a run has come. The total is that of its start, so that more rows may be read. */
export function RunProgress({ run: { progress } }: { run: Pick<ReconcileRun, 'progress'> }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!progress) return <p>{t('operator.reconcile.elsewhere')}</p>
  const { rows, total } = progress
  const said = t('operator.reconcile.progress', { rows: format.number(rows), total: format.number(total) })
  return (
    <>
      <Bar percent={Math.min(100, total === 0 ? 0 : (rows / total) * 100)} label={t('operator.reconcile.running')} />
      <p>{said}</p>
    </>
  )
}
