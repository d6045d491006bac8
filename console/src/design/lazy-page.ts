import { type ComponentType, createElement, use } from 'react'
import { addWords, type LoadPageWords } from '../i18n/i18n.ts'

export interface LazyEntry {
  readonly load: () => Promise<ComponentType>
  /** Words that do not load with the application: the page's own, and those of pages whose parts it shows. */
  readonly words?: readonly LoadPageWords[]
}

export interface LazyPage {
  readonly Page: ComponentType
  /** Starts loading. A failure is ignored until the page is really needed. */
  readonly warm: () => void
  /** Lets the next render retry a failed load. */
  readonly forgetFailure: () => void
}

/** A lazily loaded page with its words. Unlike `React.lazy` it can retry after a failure. */
export function lazyPage({ load, words = [] }: LazyEntry, wordsBelow?: 'operator'): LazyPage {
  let loading: Promise<ComponentType> | undefined
  let hasFailed = false
  function start(): Promise<ComponentType> {
    if (loading) return loading
    hasFailed = false
    const added = words.map((loadWords) => addWords(loadWords, wordsBelow))
    loading = Promise.all([load(), ...added]).then(([component]) => component)
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

export function forgetFailuresOf(pages: readonly LazyPage[]): void {
  for (const page of pages) page.forgetFailure()
}

/** Long enough for a new page to have requested its data. */
const calmMs = 1000

/** Loads pages one by one while the browser is idle. */
export function warmWhenIdle(pages: readonly LazyPage[], isBusy: () => boolean): () => void {
  const left = [...pages]
  let timer: ReturnType<typeof setTimeout>
  let isStopped = false
  const next = () => {
    if (isStopped) return
    // On a slow network they would delay the visible page.
    if (isBusy()) return wait()
    const page = left.shift()
    if (!page) return
    page.warm()
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

/** Safari has no `requestIdleCallback`. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(() => work())
  else setTimeout(work, 300)
}
