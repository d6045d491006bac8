import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { eventsQuery } from '../../api/queries.ts'
import type { GatewayEvent } from '../../api/types.ts'
import { type Column, PagedTable } from '../../design/data-table.tsx'
import { Time } from '../../design/figures.tsx'
import { Empty } from '../../design/notice.tsx'
import { PageHead, Sheet } from '../../design/page.tsx'
import { EventName, useEventText, useNewEvents } from './event-text.tsx'

/** All events; the bell refreshes the list when new ones arrive. */
export function Events() {
  const { t } = useTranslation()
  const textOf = useEventText()
  const newIds = useNewEvents()
  const columns: Column<GatewayEvent>[] = [
    { key: 'time', title: t('events.time'), narrow: 'untitled', cell: ({ at }) => <Time at={at} /> },
    {
      key: 'event',
      title: t('events.event'),
      isMain: true,
      cell: (event) => <EventName event={event} isNew={newIds.has(event.id)} />,
    },
    { key: 'detail', title: t('events.detail'), isText: true, narrow: 'untitled', cell: textOf },
  ]
  return (
    <div>
      <PageHead
        title={t('events.title')}
        lead={t('events.lead')}
        actions={<Link href="/alerts">{t('events.toAlerts')}</Link>}
      />
      <Sheet>
        <PagedTable
          query={eventsQuery}
          caption={t('events.table')}
          columns={columns}
          rowKey={({ id }) => id}
          empty={<Empty title={t('events.none')} hint={t('events.noneHint')} />}
        />
      </Sheet>
    </div>
  )
}
