import { useTranslation } from 'react-i18next'
import type { Tone } from '../../../design/notice.tsx'
import { Mark } from '../../../design/state-mark.tsx'
import type { ReconcileRun } from '../../api/types.ts'

const tones: Record<ReconcileRun['state'], Tone> = { running: 'wait', sound: 'good', different: 'bad', failed: 'bad' }

export function RunMark({ run: { state } }: { run: Pick<ReconcileRun, 'state'> }) {
  const { t } = useTranslation()
  return <Mark tone={tones[state]}>{t(`operator.reconcile.states.${state}`)}</Mark>
}
