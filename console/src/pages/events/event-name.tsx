import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { GatewayEvent } from '../../api/types.ts'
import { Mark } from '../../design/state-mark.tsx'
import styles from './events.module.css'
import { placeOf, toneOf } from './use-event-text.ts'

/** What kind of event it is, as a link to what it is about. */
export function EventName({ event, isNew }: { event: GatewayEvent; isNew: boolean }) {
  const { t } = useTranslation()
  return (
    <span className={styles.name}>
      <Link href={placeOf(event)} className={styles.link} data-tone={toneOf(event.type)}>
        {t(`events.types.${event.type}`)}
      </Link>
      {isNew && <Mark tone="good">{t('events.isNew')}</Mark>}
    </span>
  )
}
