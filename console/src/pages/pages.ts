import { type ComponentType, createElement, use } from 'react'
import { queryClient } from '../api/queries.ts'
import { addWords, type LoadWords } from '../i18n/i18n.ts'
import { pageWords } from '../i18n/words.ts'

/** Pages load when first needed, or shortly before. */
const pages = {
  overview: lazyPage(async () => (await import('./overview/overview.tsx')).Overview),
  recharge: lazyPage(async () => (await import('./recharge/recharge.tsx')).Recharge),
  usage: lazyPage(async () => (await import('./usage/usage.tsx')).Usage),
  receipt: lazyPage(async () => (await import('./receipt/receipt.tsx')).Receipt),
  ledger: lazyPage(async () => (await import('./ledger/ledger.tsx')).Ledger),
  reviews: lazyPage(async () => (await import('./reviews/reviews.tsx')).Reviews),
  keys: lazyPage(async () => (await import('./keys/keys.tsx')).Keys),
  playground: lazyPage(
    async () => (await import('./playground/playground.tsx')).Playground,
    pageWords.playground,
    pageWords.pricing,
  ),
  media: lazyPage(
    async () => (await import('./media/media.tsx')).Media,
    pageWords.media,
    pageWords.playground,
    pageWords.pricing,
  ),
  webhooks: lazyPage(
    async () => (await import('./webhooks/webhooks.tsx')).Webhooks,
    pageWords.events,
    pageWords.webhooks,
  ),
  pricing: lazyPage(async () => (await import('./pricing/pricing.tsx')).Pricing, pageWords.pricing),
  events: lazyPage(async () => (await import('./events/events.tsx')).Events, pageWords.events),
  eventPanel: lazyPage(async () => (await import('./events/event-panel.tsx')).EventPanel, pageWords.events),
  alerts: lazyPage(async () => (await import('./alerts/alerts.tsx')).Alerts, pageWords.events, pageWords.alerts),
  account: lazyPage(async () => (await import('./account/account.tsx')).Account),
  signIn: lazyPage(async () => (await import('./auth/sign-in.tsx')).SignIn),
  register: lazyPage(async () => (await import('./auth/register.tsx')).Register),
  recover: lazyPage(async () => (await import('./auth/recover.tsx')).Recover),
}

export type PageName = keyof typeof pages

export const warm = (name: PageName): void => pages[name].warm()

/** Long enough for a new page to have requested its data. */
const calmMs = 1000

/** Loads all pages one by one while the browser is idle, so that they survive a short outage. */
export function warmAllWhenIdle(): () => void {
  const names = Object.keys(pages) as PageName[]
  let timer: ReturnType<typeof setTimeout>
  let isStopped = false
  const next = () => {
    if (isStopped) return
    // On a slow network they would delay the visible page.
    if (queryClient.isFetching() > 0) return wait()
    const name = names.shift()
    if (!name) return
    warm(name)
    whenIdle(next)
  }
  function wait() {
    timer = setTimeout(() => whenIdle(next), calmMs)
  }
  wait()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

export function forgetFailures(): void {
  for (const page of Object.values(pages)) page.forgetFailure()
}

/** Safari has no `requestIdleCallback`. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(() => work())
  else setTimeout(work, 300)
}

/** The page for a path below the console's base. */
export function pageOf(path: string): PageName {
  const [, first = '', second] = path.split('/')
  if (first === 'usage' && second) return 'receipt'
  if (first === 'sign-in') return 'signIn'
  return first in pages ? (first as PageName) : 'overview'
}

export const Overview = pages.overview.Page
export const Recharge = pages.recharge.Page
export const Usage = pages.usage.Page
export const Receipt = pages.receipt.Page
export const Ledger = pages.ledger.Page
export const Reviews = pages.reviews.Page
export const Keys = pages.keys.Page
export const Playground = pages.playground.Page
export const Media = pages.media.Page
export const Webhooks = pages.webhooks.Page
export const Pricing = pages.pricing.Page
export const Events = pages.events.Page
export const EventPanel = pages.eventPanel.Page
export const Alerts = pages.alerts.Page
export const Account = pages.account.Page
export const SignIn = pages.signIn.Page
export const Register = pages.register.Page
export const Recover = pages.recover.Page

interface LazyPage {
  readonly Page: ComponentType
  /** Starts loading. A failure is ignored until the page is really needed. */
  readonly warm: () => void
  /** Lets the next render retry a failed load. */
  readonly forgetFailure: () => void
}

/** A lazily loaded page with its words. Unlike `React.lazy` it can retry after a failure. */
export function lazyPage(load: () => Promise<ComponentType>, ...words: LoadWords[]): LazyPage {
  let loading: Promise<ComponentType> | undefined
  let hasFailed = false
  function start(): Promise<ComponentType> {
    if (loading) return loading
    hasFailed = false
    loading = Promise.all([load(), ...words.map(addWords)]).then(([page]) => page)
    loading.catch(() => {
      hasFailed = true
    })
    return loading
  }
  function forgetFailure(): void {
    if (hasFailed) loading = undefined
  }
  return {
    // biome-ignore lint/correctness/noComponentHookFactories: called once for each page, while the module loads.
    Page: () => createElement(use(start())),
    warm: () => void start().catch(forgetFailure),
    forgetFailure,
  }
}
