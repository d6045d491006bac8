import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'wouter'
import { eventGroups } from '../../../../src/contract/event-row.ts'
import { eventsQuery } from '../../api/queries.ts'
import type { GatewayEvent } from '../../api/types.ts'
import { type Column, DataTable, PagedTable } from '../../design/data-table.tsx'
import { Select } from '../../design/field.tsx'
import { Time } from '../../design/figures.tsx'
import { Empty } from '../../design/notice.tsx'
import { PageHead, Sheet } from '../../design/page.tsx'
import { addWords } from '../../i18n/i18n.ts'
import { EventName, eventTypes, typesIn, useEventText, useNewEvents } from './event-text.tsx'
import styles from './events.module.css'
import { withoutRepeats } from './runs.ts'
import * as words from './words.ts'

addWords(words)

/** All events; the bell refreshes the list when new ones arrive. */
export function Events() {
  const { t } = useTranslation()
  const textOf = useEventText()
  const newIds = useNewEvents()
  const [params, setParams] = useSearchParams()
  const type = eventTypes.find((known) => known === params.get('type'))
  const choices = eventGroups.flatMap(typesIn).map((value) => ({ value, label: t(`events.types.${value}`) }))
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
        <Select
          label={t('events.type')}
          className={styles.filter}
          value={type ?? ''}
          onChange={({ currentTarget: { value } }) => setParams(value === '' ? {} : { type: value }, { replace: true })}
          data={[{ value: '', label: t('events.allTypes') }, ...choices]}
        />
        <PagedTable
          key={type}
          query={eventsQuery(type)}
          empty={
            type ? (
              <Empty title={t('events.noMatch')} />
            ) : (
              <Empty title={t('events.none')} hint={t('events.noneHint')} />
            )
          }
        >
          {(events) => (
            <DataTable
              caption={t('events.table')}
              columns={columns}
              rows={withoutRepeats(events)}
              rowKey={({ id }) => id}
            />
          )}
        </PagedTable>
      </Sheet>
    </div>
  )
}
