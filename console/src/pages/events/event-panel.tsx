import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { latestEventsQuery } from '../../api/queries.ts'
import { Empty } from '../../design/empty.tsx'
import { LoadingRows } from '../../design/loading-rows.tsx'
import { Problem } from '../../design/problem.tsx'
import { Time } from '../../design/time.tsx'
import { EventName } from './event-name.tsx'
import styles from './events.module.css'
import { useEventText } from './use-event-text.ts'
import { useNewEvents } from './use-new-events.ts'

const shown = 8

/** The newest events, in the panel of the bell. */
export function EventPanel() {
  const { t } = useTranslation()
  const textOf = useEventText()
  const newIds = useNewEvents()
  const { data, error, refetch } = useQuery(latestEventsQuery)
  return (
    <>
      <div className={styles.head}>
        <h2>{t('events.newest')}</h2>
        <Link href="/alerts">{t('nav.alerts')}</Link>
      </div>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows />}
      {data?.items.length === 0 && <Empty title={t('events.none')} hint={t('events.noneHint')} />}
      <ul className={styles.list}>
        {data?.items.slice(0, shown).map((event) => (
          <li key={event.id}>
            <EventName event={event} isNew={newIds.has(event.id)} />
            <p className={styles.about}>{textOf(event)}</p>
            <Time at={event.at} />
          </li>
        ))}
      </ul>
      <p className={styles.foot}>
        <Link href="/events">{t('events.all')}</Link>
      </p>
    </>
  )
}
