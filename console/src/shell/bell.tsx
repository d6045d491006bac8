import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { latestEventsQuery, refreshAfterEvents } from '../api/queries.ts'
import { IconButton } from '../design/button.tsx'
import { Crash } from '../design/crash.tsx'
import { Icons } from '../design/icons.tsx'
import { LoadingRows } from '../design/loading-rows.tsx'
import { EventPanel, forgetFailures, warm } from '../pages/pages.ts'
import styles from './bell.module.css'

const panelId = 'latest-events'
/** The gateway counts no further. */
const countLimit = 100

/** How many events are unread, on every page; a panel shows the newest. */
export function Bell() {
  const { t } = useTranslation()
  const { data } = useQuery(latestEventsQuery)
  const [location] = useLocation()
  const [isOpen, setOpen] = useState(false)
  const panel = useRef<HTMLElement>(null)
  const unread = data?.unread ?? 0
  useRefreshOnNews(data?.items[0]?.id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever goes to a page is done with the panel.
  useEffect(() => panel.current?.hidePopover?.(), [location])
  return (
    <>
      <IconButton
        className={styles.bell ?? ''}
        popoverTarget={panelId}
        aria-label={unread > 0 ? t('nav.unread', { count: unread }) : t('nav.events')}
        onPointerEnter={() => warm('eventPanel')}
        onFocus={() => warm('eventPanel')}
      >
        <Icons.events />
        {unread > 0 && (
          <span className={styles.count} aria-hidden="true">
            {unread < countLimit ? unread : `${countLimit - 1}+`}
          </span>
        )}
      </IconButton>
      <section
        ref={panel}
        id={panelId}
        popover="auto"
        className={styles.panel}
        aria-label={t('nav.events')}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && (
          <Crash at={location} onRetry={forgetFailures}>
            <Suspense fallback={<LoadingRows />}>
              <EventPanel />
            </Suspense>
          </Crash>
        )}
      </section>
    </>
  )
}

/** Pages show at once what the newest event tells of. */
function useRefreshOnNews(newestId: string | undefined): void {
  const seen = useRef(newestId)
  useEffect(() => {
    if (seen.current !== undefined && newestId !== seen.current) void refreshAfterEvents()
    seen.current = newestId ?? seen.current
  }, [newestId])
}
