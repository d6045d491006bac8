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
import { paths } from '../installation.ts'
import { unreadOf } from '../pages/events/runs.ts'
import { forgetFailures, type MenuEntry, menuOf, pages, routesFor, warmAhead, warmAllWhenIdle } from '../pages/pages.ts'
import { SearchButton } from './search-box.tsx'
import styles from './shell.module.css'

const routes = routesFor('members')

export function Shell() {
  const [location] = useLocation()
  useEffect(warmAllWhenIdle, [])
  return (
    <Frame
      status={<Balance />}
      menu={<Nav />}
      bell={
        <>
          <SearchButton />
          <Bell />
        </>
      }
    >
      <Crash at={location} onRetry={forgetFailures}>
        <Suspense fallback={<PageSkeleton />}>
          <Switch>
            {routes.map(({ path, Page }) => (
              <Route key={path} path={path} component={Page} />
            ))}
            <Route component={NoSuchPage} />
          </Switch>
        </Suspense>
      </Crash>
    </Frame>
  )
}

const groups = ['money', 'building', 'you'] as const

function Nav() {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('nav.label')} className={frame.nav}>
      {groups.map((group) => (
        <div key={group}>
          <h2 className={frame.group} id={`nav-${group}`}>
            {t(`nav.${group}`)}
          </h2>
          <ul aria-labelledby={`nav-${group}`}>
            {menuOf(group).map((item) => (
              <li key={item.name}>
                <NavItem {...item} />
              </li>
            ))}
            {group === 'building' && (
              <li>
                <a className={frame.item} href={paths.docs} target="_blank" rel="noreferrer">
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

function useMenuName(): (menu: MenuEntry) => string {
  const { i18n } = useTranslation()
  return ({ en, zh }) => (i18n.language === 'en' ? en : zh)
}

function NavItem({ name, menu, path }: ReturnType<typeof menuOf>[number]) {
  const nameOf = useMenuName()
  const [location] = useLocation()
  const isHere = path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`)
  const Icon = Icons[menu.icon]
  return (
    <Link
      href={path}
      className={frame.item}
      aria-current={isHere ? 'page' : undefined}
      onPointerEnter={() => warmAhead(name)}
      onFocus={() => warmAhead(name)}
    >
      <Icon />
      {nameOf(menu)}
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
  const title = useMenuName()(pages.events.menu)
  const panel = useRef<HTMLElement>(null)
  const unread = data ? unreadOf(data) : 0
  // Empty before the first event, which is news too.
  useRefreshOnNews(data && (data.items[0]?.id ?? ''))
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating closes the panel.
  useEffect(() => panel.current?.hidePopover?.(), [location])
  return (
    <>
      <IconButton
        className={styles.bell ?? ''}
        popoverTarget={panelId}
        aria-label={unread > 0 ? t('nav.unread', { count: unread }) : title}
        onPointerEnter={() => warmAhead('eventPanel')}
        onFocus={() => warmAhead('eventPanel')}
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
        aria-label={title}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && (
          <Crash at={location} onRetry={forgetFailures}>
            <Suspense fallback={<LoadingRows />}>
              <pages.eventPanel.Page />
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
