import type { OperatorPath } from '../../../../src/features/operators/listener/contract.ts'
import type { Icons } from '../../design/icons.tsx'
import { forgetFailuresOf, type LazyEntry, type LazyPage, lazyPage } from '../../design/lazy-page.ts'
import { warmWhenIdle } from '../../design/load-ahead.ts'
import { queryClient } from '../api/queries.ts'

/** Every page but for those of signing in, in the order of the menu. They load when first needed, or shortly before. */
export const pages = {
  overview: page({
    path: '/',
    menu: { group: 'watching', icon: 'overview', en: 'Overview', zh: '总览' },
    load: async () => (await import('./overview/overview.tsx')).OperatorOverview,
    words: [
      () => import('./overview/words.ts'),
      () => import('./accounts/words.ts'),
      () => import('./providers/words.ts'),
      () => import('./reconcile/words.ts'),
    ],
  }),
  reviews: page({
    path: '/reviews',
    menu: { group: 'watching', icon: 'reviews', en: 'Reviews', zh: '待确认' },
    load: async () => (await import('./reviews/reviews.tsx')).OpenReviews,
    words: [() => import('./reviews/words.ts')],
  }),
  providers: page({
    path: '/providers',
    menu: { group: 'watching', icon: 'playground', en: 'Providers', zh: '服务商' },
    load: async () => (await import('./providers/providers.tsx')).Providers,
    words: [() => import('./providers/words.ts')],
  }),
  incidents: page({
    path: '/incidents',
    menu: { group: 'watching', icon: 'alerts', en: 'Incidents', zh: '状态公告' },
    load: async () => (await import('./incidents/incidents.tsx')).Incidents,
    words: [() => import('./incidents/words.ts')],
  }),
  accounts: page({
    path: '/accounts',
    menu: { group: 'people', icon: 'account', en: 'Accounts', zh: '账号' },
    load: async () => (await import('./accounts/accounts.tsx')).Accounts,
    words: [() => import('./accounts/words.ts')],
  }),
  account: page({
    path: '/accounts/:accountId',
    load: async () => (await import('./accounts/account-page.tsx')).AccountPage,
    words: [() => import('./accounts/words.ts')],
  }),
  project: page({
    path: '/projects/:projectId',
    load: async () => (await import('./accounts/account-page.tsx')).ProjectPage,
    words: [() => import('./accounts/words.ts')],
  }),
  charge: page({
    path: '/charges/:chargeId',
    load: async () => (await import('./charges/charge.tsx')).ChargePage,
    words: [() => import('./charges/words.ts'), () => import('./reviews/words.ts')],
  }),
  payments: page({
    path: '/payments',
    menu: { group: 'people', icon: 'recharge', en: 'Payments', zh: '支付' },
    load: async () => (await import('./payments/payments.tsx')).Payments,
    words: [() => import('./payments/words.ts')],
  }),
  payment: page({
    path: '/payments/:paymentId',
    load: async () => (await import('./payments/payments.tsx')).PaymentPage,
    words: [() => import('./payments/words.ts')],
  }),
  approvals: page({
    path: '/approvals',
    menu: { group: 'people', icon: 'check', en: 'Approvals', zh: '审批' },
    load: async () => (await import('./approvals/approvals.tsx')).Approvals,
    words: [() => import('./approvals/words.ts')],
  }),
  audit: page({
    path: '/audit',
    menu: { group: 'accounting', icon: 'usage', en: 'Audit log', zh: '审计日志' },
    load: async () => (await import('./audit/audit.tsx')).Audit,
    words: [() => import('./audit/words.ts')],
  }),
  reconcile: page({
    path: '/reconcile',
    menu: { group: 'accounting', icon: 'ledger', en: 'Reconciliation', zh: '对账' },
    load: async () => (await import('./reconcile/reconcile.tsx')).Reconcile,
    words: [() => import('./reconcile/words.ts')],
  }),
  reconcileRun: page({
    path: '/reconcile/:runId',
    load: async () => (await import('./reconcile/reconcile.tsx')).RunPage,
    words: [() => import('./reconcile/words.ts')],
  }),
  comparisons: page({
    path: '/comparisons',
    menu: { group: 'accounting', icon: 'pricing', en: 'Bill comparison', zh: '账单核对' },
    load: async () => (await import('./payments/comparisons.tsx')).Comparisons,
    words: [() => import('./payments/words.ts')],
  }),
  comparison: page({
    path: '/comparisons/:comparison',
    load: async () => (await import('./payments/comparisons.tsx')).ComparisonPage,
    words: [() => import('./payments/words.ts')],
  }),
  settings: page({
    path: '/settings',
    menu: { group: 'system', icon: 'system', en: 'Settings', zh: '设置' },
    load: async () => (await import('./settings/settings.tsx')).Settings,
    words: [() => import('./settings/words.ts')],
  }),
  operators: page({
    path: '/operators',
    menu: { group: 'system', icon: 'keys', en: 'Operators', zh: '操作员' },
    load: async () => (await import('./operators/operators.tsx')).Operators,
    words: [() => import('./operators/words.ts')],
  }),
  me: page({ path: '/me', load: async () => (await import('./access/me.tsx')).Me }),
  inbox: page({
    path: '/inbox',
    isAlone: true,
    load: async () => (await import('./inbox/inbox.tsx')).Inbox,
    words: [() => import('./inbox/words.ts')],
  }),
}

export type PageName = keyof typeof pages

export const menuGroups = ['watching', 'people', 'accounting', 'system'] as const

interface MenuEntry {
  readonly group: (typeof menuGroups)[number]
  readonly icon: keyof typeof Icons
  readonly en: string
  readonly zh: string
}

interface PageEntry extends LazyEntry {
  readonly path: OperatorPath
  /** Without the frame; it asks for a sign-in only if its data needs one. */
  readonly isAlone?: true
  readonly menu?: MenuEntry
}

const all = Object.entries(pages) as [PageName, PageEntry & LazyPage][]

const routesOf = (isWanted: (page: PageEntry) => boolean) =>
  all.flatMap(([, page]) => (isWanted(page) ? [{ path: page.path, Page: page.Page }] : []))

export const routes = routesOf(({ isAlone }) => !isAlone)
export const routesAlone = routesOf(({ isAlone }) => isAlone === true)
export const isAlone = (location: string): boolean => routesAlone.some(({ path }) => path === location)

export const menuOf = (group: MenuEntry['group']) =>
  all.flatMap(([name, { path, menu }]) => (menu?.group === group ? [{ name, menu, path }] : []))

/** Before its link is followed. */
export const warmAhead = (name: PageName): void => pages[name].warmAhead()

/** So that the pages survive a short outage. */
export const warmAllWhenIdle = () => warmWhenIdle(Object.values(pages), () => queryClient.isFetching() > 0)

export const forgetFailures = () => forgetFailuresOf(Object.values(pages))

function page<const Entry extends PageEntry>(entry: Entry): Entry & LazyPage {
  return { ...entry, ...lazyPage(entry) }
}
