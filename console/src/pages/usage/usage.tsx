import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearchParams } from 'wouter'
import { csvOf, overviewQuery, usageQuery } from '../../api/queries.ts'
import { Button } from '../../design/button.tsx'
import { Segments, WrongPeriod } from '../../design/choices.tsx'
import { ExportButton, ExportOutcome, PagedTable, useExportCsv } from '../../design/data-table.tsx'
import { Empty } from '../../design/notice.tsx'
import { PageHead, Sheet, wide } from '../../design/page.tsx'
import { dayAt, isBackwards } from '../../format/calendar.ts'
import { useFormat } from '../../format/format.ts'
import { matching } from '../../format/return-path.ts'
import { addWords } from '../../i18n/i18n.ts'
import { CallDrawer } from '../log/call-drawer.tsx'
import { useLiveTail } from '../log/live-tail.ts'
import log from '../log/log.module.css'
import { type LogPreferences, useLogPreferences } from '../log/log-preferences.ts'
import { LogTable } from '../log/log-table.tsx'
import { LookMenu } from '../log/look-menu.tsx'
import * as words from '../log/words.ts'
import { LogChart } from './log-chart.tsx'
import { RefusedCalls } from './refused-calls.tsx'
import styles from './usage.module.css'
import { UsageFilters } from './usage-filters.tsx'
import { chartFilters, isFiltered, listFilters, paramsOf, type UsageView, viewOf } from './view.ts'

addWords(words)

/** The view is in the URL, so that it can be bookmarked and shared; so is the call in the drawer. */
export function Usage() {
  const { t, i18n } = useTranslation()
  const [params, setParams] = useSearchParams()
  const view = viewOf(params)
  const isRefused = params.get('list') === 'refused'
  // An entry of the history for each choice: the browser's back button undoes it.
  const show = (next: UsageView) => setParams(paramsOf(next))
  const today = dayAt(Date.now())
  const exporting = useExportCsv(csvOf('/console/usage.csv', listFilters(view), { today, language: i18n.language }))
  const isWrong = isBackwards(view)
  const { data: overview } = useQuery(overviewQuery)
  const hasRows = useHasRows(view)
  const [look, setLook] = useLogPreferences()
  // No filters or chart before the first call.
  const isNew = overview?.firstSteps.hasCall === false && !isFiltered(view)

  function choose(from: string, to: string) {
    const { day, ...filters } = view
    // Choosing a week sets the period; choosing a day selects it within the period, or deselects it.
    show(from !== to ? { ...filters, from, to } : day === from ? filters : { ...filters, day: from })
  }
  return (
    <div className={`${wide} ${styles.page}`}>
      <PageHead
        title={t('usage.title')}
        actions={
          <>
            <Segments
              aria-label={t('log.lists')}
              value={isRefused ? 'refused' : 'calls'}
              onChange={(list) => setParams(list === 'refused' ? { list } : {})}
              data={(['calls', 'refused'] as const).map((value) => ({ value, label: t(`log.${value}`) }))}
            />
            {!isNew && !isRefused && <ExportButton exporting={exporting} isDisabled={isWrong} />}
          </>
        }
      />
      <ExportOutcome exporting={exporting} />
      {isRefused ? (
        <Sheet title={t('log.refused')} className={styles.refused}>
          <RefusedCalls params={params} onChange={(filters) => setParams({ list: 'refused', ...filters })} />
        </Sheet>
      ) : (
        <>
          {!isNew && <UsageFilters view={view} onChange={show} hasRows={hasRows} />}
          {!isNew && !isWrong && (
            <LogChart chosenDay={view.day} onChoose={choose} filters={chartFilters(view)} hasRows={hasRows} />
          )}
          {isWrong ? <WrongPeriod /> : <Calls view={view} onChange={show} look={look} onLook={setLook} />}
        </>
      )}
    </div>
  )
}

/** Whether the list stands, or why it cannot: what only menus and comparisons need would delay its rows. */
function useHasRows(view: UsageView): boolean {
  const { isPending } = useInfiniteQuery({ ...usageQuery(listFilters(view)), enabled: false })
  return useDeferredValue(!isPending)
}

interface CallsProps {
  readonly view: UsageView
  readonly onChange: (view: UsageView) => void
  readonly look: LogPreferences
  readonly onLook: (look: LogPreferences) => void
}

function Calls({ view, onChange, look, onLook }: CallsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { day, ...filters } = view
  const [isLive, setLive] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const query = usageQuery(listFilters(view))
  const isPaused = useLiveTail(listFilters(view), isLive, frame)
  const drawer = useDrawer()
  return (
    <Sheet
      className={styles.calls}
      title={t('usage.table')}
      actions={
        <>
          {day && (
            <span className={styles.day}>
              {t('usage.ofDay', { day: format.day(day) })}
              <Button variant="default" size="compact-sm" onClick={() => onChange(filters)}>
                {t('usage.allDays')}
              </Button>
            </span>
          )}
          <span className={log.note} role="status">
            {isLive && t(isPaused ? 'log.livePaused' : 'log.liveOn')}
          </span>
          <Button
            variant={isLive ? 'filled' : 'default'}
            size="compact-sm"
            aria-pressed={isLive}
            icon={<span className={log.pulse} />}
            onClick={() => setLive(!isLive)}
          >
            {t('log.live')}
          </Button>
          <LookMenu look={look} onChange={onLook} />
        </>
      }
    >
      <div ref={frame} className={log.log} data-compact={look.isCompact || undefined}>
        <PagedTable
          query={query}
          empty={
            isFiltered(view) ? (
              <Empty
                title={t('usage.none')}
                actions={
                  <Button variant="default" size="compact-sm" onClick={() => onChange({})}>
                    {t('tables.clear')}
                  </Button>
                }
              />
            ) : (
              <Empty
                title={t('usage.noneYet')}
                hint={t('usage.noneYetHint')}
                actions={<Link href="/playground">{t('usage.toPlayground')}</Link>}
              />
            )
          }
        >
          {(charges) => <LogTable charges={charges} look={look} onOpen={drawer.open} />}
        </PagedTable>
      </div>
      <ListedDrawer query={query} {...drawer} />
    </Sheet>
  )
}

type Drawer = ReturnType<typeof useDrawer>

/** Knows the calls of the list, to step through them. */
function ListedDrawer({ query, chargeId, choose, close }: Drawer & { query: ReturnType<typeof usageQuery> }) {
  const pages = useQueryClient().getQueryData(query.queryKey)?.pages ?? []
  const chargeIds = pages.flatMap(({ items }) => items.map((charge) => charge.chargeId))
  return <CallDrawer chargeId={chargeId} chargeIds={chargeIds} onChoose={choose} onClose={close} />
}

/** The call in the drawer, as a part of the URL: the browser's back button closes it. */
function useDrawer() {
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const pathWith = (chargeId: string | null) => {
    const next = new URLSearchParams(params)
    if (chargeId === null) next.delete('call')
    else next.set('call', chargeId)
    return next.size === 0 ? '/usage' : `/usage?${next}`
  }
  return {
    chargeId: matching(params, 'call', /^chg_[A-Za-z0-9]{1,60}$/),
    open: (chargeId: string) => navigate(pathWith(chargeId), { state: opened }),
    choose: (chargeId: string) => navigate(pathWith(chargeId), { replace: true, state: history.state }),
    close() {
      if (history.state?.isDrawer === true) history.back()
      else navigate(pathWith(null), { replace: true })
    },
  }
}

/** Marks an entry of the history that was added by opening a call. */
const opened = { isDrawer: true }
