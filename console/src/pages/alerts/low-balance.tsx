import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { overviewQuery } from '../../api/queries.ts'
import { useCreditsText } from '../../design/amount.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './alerts.module.css'
import { lastingOf, stepsWith } from './threshold.ts'

interface LowBalanceProps {
  /** As it was saved: the slider keeps a place for it. */
  readonly saved: number | null
  readonly credits: number | null
  readonly onChange: (credits: number | null) => void
}

/** From which balance on the payer is told, and what that means in days. */
export function LowBalance({ saved, credits, onChange }: LowBalanceProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const id = useId()
  const steps = stepsWith(saved)
  const said = credits === null ? t('alerts.never') : t('alerts.below', { credits: creditsText(credits) })
  return (
    <Sheet title={t('alerts.lowTitle')}>
      <div className={styles.threshold}>
        <label htmlFor={id}>{t('alerts.threshold')}</label>
        <input
          id={id}
          type="range"
          min={0}
          max={steps.length - 1}
          step={1}
          value={steps.indexOf(credits ?? 0)}
          aria-valuetext={said}
          onChange={(event) => onChange(steps[Number(event.currentTarget.value)] || null)}
        />
        <output htmlFor={id} className={styles.said}>
          {said} {credits !== null && <span className={styles.worth}>{format.yuanOfCredits(credits)}</span>}
        </output>
        <p className={styles.note}>{credits === null ? t('alerts.neverHint') : <Meaning credits={credits} />}</p>
      </div>
    </Sheet>
  )
}

function Meaning({ credits }: { credits: number }) {
  const { t } = useTranslation()
  const creditsText = useCreditsText()
  const { data } = useQuery(overviewQuery)
  if (!data) return null
  const lasting = lastingOf(credits, data.spent.last7Days)
  const time =
    lasting &&
    ('count' in lasting ? t(`alerts.${lasting.unit}`, { count: lasting.count }) : t(`alerts.${lasting.unit}`))
  return (
    <>
      {time ? t('alerts.lasts', { credits: creditsText(credits), time }) : t('alerts.noRate')}
      {data.credits.available < credits && ` ${t('alerts.isLow')}`}
    </>
  )
}
