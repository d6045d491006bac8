import { useTranslation } from 'react-i18next'

/** Says how long to wait: in seconds, or in minutes when there is more than one. */
export function useWaitText(): (seconds: number) => string {
  const { t } = useTranslation()
  return (seconds) =>
    seconds > 60
      ? t('common.minutes', { count: Math.ceil(seconds / 60) })
      : t('common.seconds', { count: Math.max(1, seconds) })
}
