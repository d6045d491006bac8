import { useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Route, Switch, useLocation } from 'wouter'
import { permits } from '../../../src/operator-kit/roles.ts'
import { Button } from '../design/button.tsx'
import styles from '../design/frame.module.css'
import { Frame } from '../design/frame.tsx'
import { Icons } from '../design/icons.tsx'
import { Crash } from '../design/notice.tsx'
import { NoSuchPage, PageSkeleton } from '../design/page.tsx'
import { overviewQuery } from './api/queries.ts'
import { operatorSession, useOperator } from './api/session.ts'
import type { Overview } from './api/types.ts'
import own from './operator-shell.module.css'
import { forgetFailures, menuGroups, menuOf, type PageName, routes, warmAhead, warmAllWhenIdle } from './pages/pages.ts'
import { News, NewsProvider } from './parts/parts.tsx'
import { useSearch } from './search.tsx'

export function OperatorShell() {
  const [location] = useLocation()
  const search = useSearch()
  useEffect(warmAllWhenIdle, [])
  return (
    <Frame
      status={
        <>
          {search.field}
          <SignedInAs />
        </>
      }
      bell={search.button}
      menu={<Menu />}
    >
      {search.dialog}
      <NewsProvider>
        <News />
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
      </NewsProvider>
    </Frame>
  )
}

function SignedInAs() {
  const { t } = useTranslation()
  const { name, role } = useOperator()
  return (
    <Link href="/me" className={own.who}>
      <span className={own.place}>{t('operator.title')}</span> <span className={own.name}>{name}</span>{' '}
      <span className={own.role}>{t(`operator.roles.${role}`)}</span>
    </Link>
  )
}

function Menu() {
  const { t } = useTranslation()
  const leaving = useMutation({ mutationFn: operatorSession.signOut })
  return (
    <>
      <nav aria-label={t('operator.nav.label')} className={styles.nav}>
        {menuGroups.map((group) => (
          <div key={group}>
            <h2 className={styles.group} id={`nav-${group}`}>
              {t(`operator.nav.${group}`)}
            </h2>
            <ul aria-labelledby={`nav-${group}`}>
              {menuOf(group).map((item) => (
                <MenuItem key={item.name} {...item} />
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className={own.leave}>
        <Button variant="default" size="compact-sm" loading={leaving.isPending} onClick={() => leaving.mutate()}>
          {t('operator.nav.signOut')}
        </Button>
      </div>
    </>
  )
}

function MenuItem({ name, menu, path }: ReturnType<typeof menuOf>[number]) {
  const { i18n } = useTranslation()
  const [location] = useLocation()
  const isHere = location === path || (path !== '/' && location.startsWith(`${path}/`))
  const Icon = Icons[menu.icon]
  return (
    <li>
      <Link
        href={path}
        className={styles.item}
        aria-current={isHere ? 'page' : undefined}
        onPointerEnter={() => warmAhead(name)}
        onFocus={() => warmAhead(name)}
      >
        <Icon />
        {i18n.language === 'en' ? menu.en : menu.zh}
        <Waiting name={name} />
      </Link>
    </li>
  )
}

/** What waits for an operator on a page. */
function waitingOn({ reviews, pendingApprovals, openMoney, failingProviders }: Overview, name: PageName, may: boolean) {
  switch (name) {
    case 'reviews':
      return reviews.open
    case 'approvals':
      return may ? pendingApprovals : 0
    case 'payments':
      return openMoney.paymentsInReview + openMoney.refundsInReview
    case 'comparisons':
      return openMoney.openDifferences
    case 'providers':
      return failingProviders.length
    default:
      return 0
  }
}

function Waiting({ name }: { name: PageName }) {
  const { t } = useTranslation()
  const { role } = useOperator()
  const { data } = useQuery(overviewQuery)
  const count = data ? waitingOn(data, name, permits(role, 'approvals')) : 0
  return count ? (
    <span className={styles.count} role="img" aria-label={t('operator.nav.waiting', { count })}>
      {count}
    </span>
  ) : null
}
