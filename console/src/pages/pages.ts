import { queryClient } from '../api/queries.ts'
import type { Icons } from '../design/icons.tsx'
import { forgetFailuresOf, type LazyEntry, type LazyPage, lazyPage } from '../design/lazy-page.ts'
import { warmWhenIdle } from '../design/load-ahead.ts'

/** Every page, in the order of the menu. They load when first needed, or shortly before. */
export const pages = {
  overview: page({
    path: '/',
    menu: { group: 'money', icon: 'overview', en: 'Overview', zh: '总览' },
    load: async () => (await import('./overview/overview.tsx')).Overview,
  }),
  recharge: page({
    path: '/recharge/:orderId?',
    menu: { group: 'money', icon: 'recharge', en: 'Add credits', zh: '充值' },
    load: async () => (await import('./recharge/recharge.tsx')).Recharge,
  }),
  usage: page({
    path: '/usage',
    menu: { group: 'money', icon: 'usage', en: 'Usage', zh: '用量' },
    load: async () => (await import('./usage/usage.tsx')).Usage,
  }),
  chargeDetails: page({
    path: '/usage/:chargeId',
    load: async () => (await import('./charge-details/charge-details.tsx')).ChargeDetailsPage,
  }),
  ledger: page({
    path: '/ledger',
    menu: { group: 'money', icon: 'ledger', en: 'Ledger', zh: '收支明细' },
    load: async () => (await import('./ledger/ledger.tsx')).Ledger,
  }),
  statement: page({
    path: '/statements/:month?',
    load: async () => (await import('./statement/statement.tsx')).Statement,
  }),
  reviews: page({
    path: '/reviews',
    menu: { group: 'money', icon: 'reviews', en: 'Reviews', zh: '待确认' },
    load: async () => (await import('./reviews/reviews.tsx')).Reviews,
  }),
  proof: page({
    path: '/proof',
    menu: { group: 'money', icon: 'proof', en: 'Receipts and proof', zh: '收据与存证' },
    load: async () => (await import('./proof/proof.tsx')).Proof,
  }),
  keys: page({
    path: '/keys',
    menu: { group: 'building', icon: 'keys', en: 'API keys', zh: 'API 密钥' },
    load: async () => (await import('./keys/keys.tsx')).Keys,
  }),
  playground: page({
    path: '/playground/:operation?',
    menu: { group: 'building', icon: 'playground', en: 'Playground', zh: '在线调试' },
    load: async () => (await import('./playground/playground.tsx')).Playground,
  }),
  media: page({
    path: '/media',
    menu: { group: 'building', icon: 'media', en: 'Media', zh: '视频' },
    load: async () => (await import('./media/media.tsx')).Media,
  }),
  webhooks: page({
    path: '/webhooks',
    menu: { group: 'building', icon: 'webhooks', en: 'Webhooks', zh: 'Webhook' },
    load: async () => (await import('./webhooks/webhooks.tsx')).Webhooks,
  }),
  pricing: page({
    path: '/pricing',
    menu: { group: 'building', icon: 'pricing', en: 'Pricing and models', zh: '价格与模型' },
    load: async () => (await import('./pricing/pricing.tsx')).Pricing,
  }),
  events: page({
    path: '/events',
    menu: { group: 'you', icon: 'events', en: 'Events', zh: '通知' },
    load: async () => (await import('./events/events.tsx')).Events,
  }),
  alerts: page({
    path: '/alerts',
    menu: { group: 'you', icon: 'alerts', en: 'Alerts', zh: '提醒设置' },
    load: async () => (await import('./alerts/alerts.tsx')).Alerts,
  }),
  account: page({
    path: '/account',
    menu: { group: 'you', icon: 'account', en: 'Account', zh: '账号' },
    load: async () => (await import('./account/account.tsx')).Account,
  }),
  eventPanel: page({
    load: async () => (await import('./events/event-panel.tsx')).EventPanel,
  }),
  stepUp: page({
    load: async () => (await import('./second-factor/step-up.tsx')).StepUp,
  }),
  signIn: page({
    path: '/sign-in',
    isForGuests: true,
    load: async () => (await import('./auth/sign-in.tsx')).SignIn,
  }),
  register: page({
    path: '/register',
    isForGuests: true,
    load: async () => (await import('./auth/register.tsx')).Register,
  }),
  recover: page({
    path: '/recover',
    isForGuests: true,
    load: async () => (await import('./auth/recover.tsx')).Recover,
  }),
}

export type PageName = keyof typeof pages

export const warm = (name: PageName): void => pages[name].warm()

/** Before its link is followed. */
export const warmAhead = (name: PageName): void => pages[name].warmAhead()

/** Loads all pages one by one while the browser is idle, so that they survive a short outage. */
export const warmAllWhenIdle = () => warmWhenIdle(Object.values(pages), () => queryClient.isFetching() > 0)

export const forgetFailures = () => forgetFailuresOf(Object.values(pages))

/** The page for a path below the console's base. */
export function pageOf(path: string): PageName {
  const [, first = '', second = ''] = path.split('/')
  const found = all.find(([, page]) => {
    const [, head, parameter] = page.path?.split('/') ?? []
    return head === first && (second === '' ? !parameter || parameter.endsWith('?') : parameter !== undefined)
  })
  return found?.[0] ?? 'overview'
}

const all = Object.entries(pages) as [PageName, PageEntry & LazyPage][]

/** The pages with a path: those of the console, or those for signed-out visitors. */
export const routesFor = (who: 'members' | 'guests') =>
  all.flatMap(([, { path, Page, isForGuests = false }]) =>
    path !== undefined && isForGuests === (who === 'guests') ? [{ path, Page }] : [],
  )

export interface MenuEntry {
  readonly group: 'money' | 'building' | 'you'
  readonly icon: keyof typeof Icons
  readonly en: string
  readonly zh: string
}

export const menuOf = (group: MenuEntry['group']) =>
  all.flatMap(([name, { path, menu }]) => (menu?.group === group ? [{ name, menu, path: path!.split('/:')[0]! }] : []))

interface PageEntry extends LazyEntry {
  /** None for a part of other pages. */
  readonly path?: string
  /** Shown instead of the console to signed-out visitors. */
  readonly isForGuests?: true
  readonly menu?: MenuEntry
}

function page<const Entry extends PageEntry>(entry: Entry): Entry & LazyPage {
  return { ...entry, ...lazyPage(entry) }
}
