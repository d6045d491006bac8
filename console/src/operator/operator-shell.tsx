import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, Route, Switch, useLocation } from 'wouter'
import { permits } from '../../../src/operator-kit/roles.ts'
import { Button } from '../design/button.tsx'
import styles from '../design/frame.module.css'
import { Frame } from '../design/frame.tsx'
import { Icons } from '../design/icons.tsx'
import { Crash } from '../design/notice.tsx'
import { NoSuchPage } from '../design/page.tsx'
import { overviewQuery } from './api/queries.ts'
import { operatorSession, useOperator } from './api/session.ts'
import own from './operator-shell.module.css'
import { Me } from './pages/access/me.tsx'
import { AccountPage, ProjectPage } from './pages/accounts/account-page.tsx'
import { Accounts } from './pages/accounts/accounts.tsx'
import { Approvals } from './pages/approvals/approvals.tsx'
import { Audit } from './pages/audit/audit.tsx'
import { Operators } from './pages/operators/operators.tsx'
import { OperatorOverview } from './pages/overview/overview.tsx'
import { ComparisonPage, Comparisons } from './pages/payments/comparisons.tsx'
import { PaymentPage, Payments } from './pages/payments/payments.tsx'
import { Providers } from './pages/providers/providers.tsx'
import { Reconcile, RunPage } from './pages/reconcile/reconcile.tsx'
import { OpenReviews } from './pages/reviews/reviews.tsx'
import { Settings } from './pages/settings/settings.tsx'
import { News, NewsProvider } from './parts/parts.tsx'

/** Navigation and routes of a signed-in operator. */
export function OperatorShell() {
  const [location] = useLocation()
  return (
    <Frame status={<WhoIsThere />} menu={<Menu />}>
      <NewsProvider>
        <News />
        <Crash at={location}>
          <Switch>
            <Route path="/" component={OperatorOverview} />
            <Route path="/accounts" component={Accounts} />
            <Route path="/accounts/:accountId" component={AccountPage} />
            <Route path="/projects/:projectId" component={ProjectPage} />
            <Route path="/approvals" component={Approvals} />
            <Route path="/payments" component={Payments} />
            <Route path="/payments/:paymentId" component={PaymentPage} />
            <Route path="/comparisons" component={Comparisons} />
            <Route path="/comparisons/:comparison" component={ComparisonPage} />
            <Route path="/reviews" component={OpenReviews} />
            <Route path="/providers" component={Providers} />
            <Route path="/audit" component={Audit} />
            <Route path="/reconcile" component={Reconcile} />
            <Route path="/reconcile/:runId" component={RunPage} />
            <Route path="/settings" component={Settings} />
            <Route path="/operators" component={Operators} />
            <Route path="/me" component={Me} />
            <Route component={NoSuchPage} />
          </Switch>
        </Crash>
      </NewsProvider>
    </Frame>
  )
}

function WhoIsThere() {
  const { t } = useTranslation()
  const { name, role } = useOperator()
  return (
    <Link href="/me" className={own.who}>
      <span className={own.place}>{t('operator.title')}</span> <span className={own.name}>{name}</span>{' '}
      <span className={own.role}>{t(`operator.roles.${role}`)}</span>
    </Link>
  )
}

const groups = [
  ['watching', ['overview', 'reviews', 'providers']],
  ['people', ['accounts', 'payments', 'approvals']],
  ['accounting', ['audit', 'reconcile', 'comparisons']],
  ['system', ['settings', 'operators']],
] as const
type Item = (typeof groups)[number][1][number]

function Menu() {
  const { t } = useTranslation()
  const leaving = useMutation({ mutationFn: operatorSession.signOut })
  return (
    <>
      <nav aria-label={t('operator.nav.label')} className={styles.nav}>
        {groups.map(([group, names]) => (
          <div key={group}>
            <h2 className={styles.group} id={`nav-${group}`}>
              {t(`operator.nav.${group}`)}
            </h2>
            <ul aria-labelledby={`nav-${group}`}>
              {names.map((name) => (
                <MenuItem key={name} name={name} />
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

const icons = {
  overview: Icons.overview,
  reviews: Icons.reviews,
  providers: Icons.playground,
  accounts: Icons.account,
  approvals: Icons.check,
  payments: Icons.recharge,
  comparisons: Icons.pricing,
  audit: Icons.usage,
  reconcile: Icons.ledger,
  settings: Icons.system,
  operators: Icons.keys,
} as const satisfies Record<Item, unknown>

function MenuItem({ name }: { name: Item }) {
  const { t } = useTranslation()
  const [location] = useLocation()
  const path = name === 'overview' ? '/' : `/${name}`
  const isHere = location === path || (name !== 'overview' && location.startsWith(`${path}/`))
  const Icon = icons[name]
  return (
    <li>
      <Link href={path} className={styles.item} aria-current={isHere ? 'page' : undefined}>
        <Icon />
        {t(`operator.nav.${name}`)}
        <Waiting name={name} />
      </Link>
    </li>
  )
}

/** The number of decisions waiting on that page. */
function Waiting({ name }: { name: Item }) {
  const { t } = useTranslation()
  const { role } = useOperator()
  const { data } = useQuery(overviewQuery)
  const count =
    name === 'reviews'
      ? data?.reviews.open
      : name === 'approvals' && permits(role, 'approvals')
        ? data?.pendingApprovals
        : 0
  return count ? (
    <span className={styles.count} role="img" aria-label={t('operator.nav.waiting', { count })}>
      {count}
    </span>
  ) : null
}
