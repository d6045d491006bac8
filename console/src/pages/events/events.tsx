import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { eventsQuery } from '../../api/queries.ts'
import type { GatewayEvent } from '../../api/types.ts'
import type { Column } from '../../design/data-table.tsx'
import { Empty } from '../../design/empty.tsx'
import { PageHead } from '../../design/page-head.tsx'
import { PagedTable } from '../../design/paged-table.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { Time } from '../../design/time.tsx'
import { EventName } from './event-name.tsx'
import { useEventText } from './use-event-text.ts'
import { useNewEvents } from './use-new-events.ts'

/** Everything that happened, as it happens: the bell of the shell has the list read again. */
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
