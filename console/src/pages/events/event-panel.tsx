import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { recentEventsQuery } from '../../api/queries.ts'
import { Time } from '../../design/figures.tsx'
import { Empty, LoadingRows, Problem } from '../../design/notice.tsx'
import { addWords } from '../../i18n/i18n.ts'
import { EventName, useEventText, useNewEvents } from './event-text.tsx'
import styles from './events.module.css'
import { runsOf } from './runs.ts'
import * as words from './words.ts'

addWords(words)

const shown = 8

export function EventPanel() {
  const { t } = useTranslation()
  const textOf = useEventText()
  const newIds = useNewEvents()
  const { data, error, refetch } = useQuery(recentEventsQuery)
  return (
    <>
      <div className={styles.head}>
        <h2>{t('events.newest')}</h2>
        <Link href="/alerts">{t('events.alerts')}</Link>
      </div>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows />}
      {data?.items.length === 0 && <Empty title={t('events.none')} hint={t('events.noneHint')} />}
      <ul className={styles.list}>
        {runsOf(data?.items ?? [])
          .slice(0, shown)
          .map(({ event, count }) => (
            <li key={event.id}>
              <EventName event={event} isNew={newIds.has(event.id)} />
              <p className={styles.about}>{textOf(event)}</p>
              <Time at={event.at} />
              {count > 1 && (
                <Link href={`/events?type=${event.type}`} className={styles.more}>
                  {t('events.more', { count: count - 1 })}
                </Link>
              )}
            </li>
          ))}
      </ul>
      <p className={styles.foot}>
        <Link href="/events">{t('events.all')}</Link>
      </p>
    </>
  )
}
