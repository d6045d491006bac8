import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Route, Switch, useLocation } from 'wouter'
import { latestEventsQuery, overviewQuery, refreshAfterEvents } from '../api/queries.ts'
import { useMe } from '../api/session.ts'
import { IconButton } from '../design/button.tsx'
import { Amount } from '../design/figures.tsx'
import frame from '../design/frame.module.css'
import { Frame } from '../design/frame.tsx'
import { Icons } from '../design/icons.tsx'
import { Crash, LoadingRows } from '../design/notice.tsx'
import { NoSuchPage, PageSkeleton } from '../design/page.tsx'
import { useFormat } from '../format/format.ts'
import * as Pages from '../pages/pages.ts'
import { EventPanel, forgetFailures, warm } from '../pages/pages.ts'
import { place } from '../place.ts'
import styles from './shell.module.css'

/** Signed-in pages with the balance and the navigation. */
export function Shell() {
  const [location] = useLocation()
  useEffect(Pages.warmAllWhenIdle, [])
  return (
    <Frame status={<Balance />} menu={<Nav />} bell={<Bell />}>
      <Crash at={location} onRetry={Pages.forgetFailures}>
        <Suspense fallback={<PageSkeleton />}>
          <Switch>
            <Route path="/" component={Pages.Overview} />
            <Route path="/recharge" component={Pages.Recharge} />
            <Route path="/usage" component={Pages.Usage} />
            <Route path="/usage/:chargeId" component={Pages.Receipt} />
            <Route path="/ledger" component={Pages.Ledger} />
            <Route path="/reviews" component={Pages.Reviews} />
            <Route path="/keys" component={Pages.Keys} />
            <Route path="/playground/:operation?" component={Pages.Playground} />
            <Route path="/media" component={Pages.Media} />
            <Route path="/webhooks" component={Pages.Webhooks} />
            <Route path="/pricing" component={Pages.Pricing} />
            <Route path="/events" component={Pages.Events} />
            <Route path="/alerts" component={Pages.Alerts} />
            <Route path="/account" component={Pages.Account} />
            <Route component={NoSuchPage} />
          </Switch>
        </Suspense>
      </Crash>
    </Frame>
  )
}

const groups = [
  ['money', ['overview', 'recharge', 'usage', 'ledger', 'reviews']],
  ['building', ['keys', 'playground', 'media', 'webhooks', 'pricing']],
  ['you', ['events', 'alerts', 'account']],
] as const

function Nav() {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('nav.label')} className={frame.nav}>
      {groups.map(([group, names]) => (
        <div key={group}>
          <h2 className={frame.group} id={`nav-${group}`}>
            {t(`nav.${group}`)}
          </h2>
          <ul aria-labelledby={`nav-${group}`}>
            {names.map((name) => (
              <li key={name}>
                <NavItem name={name} />
              </li>
            ))}
            {group === 'building' && (
              <li>
                <a className={frame.item} href={place.docs} target="_blank" rel="noreferrer">
                  <Icons.external />
                  {t('nav.docs')}
                </a>
              </li>
            )}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function NavItem({ name }: { name: (typeof groups)[number][1][number] }) {
  const { t } = useTranslation()
  const [location] = useLocation()
  const path = name === 'overview' ? '/' : `/${name}`
  const isHere = path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`)
  const Icon = Icons[name]
  return (
    <Link
      href={path}
      className={frame.item}
      aria-current={isHere ? 'page' : undefined}
      onPointerEnter={() => warm(name)}
      onFocus={() => warm(name)}
    >
      <Icon />
      {t(`nav.${name}`)}
      {name === 'reviews' && <OpenReviews />}
    </Link>
  )
}

function OpenReviews() {
  const { t } = useTranslation()
  const { data } = useQuery(overviewQuery)
  const count = data?.held.find(({ state }) => state === 'manual_review')?.charges ?? 0
  return count > 0 ? (
    <span className={frame.count} role="img" aria-label={t('nav.openReviews', { count })}>
      {count}
    </span>
  ) : null
}

/** The available credits, on every page. */
function Balance() {
  const { t } = useTranslation()
  const format = useFormat()
  const me = useMe()
  const { data } = useQuery(overviewQuery)
  const credits = data?.credits ?? me.credits
  return (
    <Link href="/recharge" className={styles.balance}>
      <span className={styles.label}>{t('common.available')}</span>
      <Amount credits={credits.available} size="lg" />
      <span className={styles.worth}>{format.yuanOfCredits(credits.available)}</span>
    </Link>
  )
}

const panelId = 'latest-events'
/** The gateway stops counting here. */
const countLimit = 100

/** The number of unread events, with a panel of the newest. */
function Bell() {
  const { t } = useTranslation()
  const { data } = useQuery(latestEventsQuery)
  const [location] = useLocation()
  const [isOpen, setOpen] = useState(false)
  const panel = useRef<HTMLElement>(null)
  const unread = data?.unread ?? 0
  useRefreshOnNews(data?.items[0]?.id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating closes the panel.
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

/** Refreshes pages when a new event arrives. */
function useRefreshOnNews(newestId: string | undefined): void {
  const seen = useRef(newestId)
  useEffect(() => {
    if (seen.current !== undefined && newestId !== seen.current) void refreshAfterEvents()
    seen.current = newestId ?? seen.current
  }, [newestId])
}
