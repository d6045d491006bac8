import { useTranslation } from 'react-i18next'
import { useSecondsUntil } from '../../design/use-seconds-until.ts'

/** Counts down to the end of a rotated key. */
export function GraceLeft({ until }: { until: string }) {
  const { t } = useTranslation()
  const seconds = useSecondsUntil(Date.parse(until))
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
  const days = Math.floor(seconds / 86_400)
  return (
    <span role="timer">
      {t('keys.graceLeft', { left: days > 0 ? t('keys.daysAnd', { count: days, clock }) : clock })}
    </span>
  )
}
