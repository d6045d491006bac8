import { type ComponentType, createElement, use } from 'react'
import { addWords, type Sections } from '../i18n/i18n.ts'
import { ahead } from './load-ahead.ts'

export interface LazyEntry {
  readonly load: () => Promise<ComponentType>
  /** Words of the operator console: the page's own, and those of pages whose parts it shows. */
  readonly words?: readonly (() => Promise<Sections>)[]
}

export interface LazyPage {
  readonly Page: ComponentType
  /** Starts loading, unless that can wait and data is to be saved. */
  readonly warmAhead: () => void
  /** Starts loading. A failure is ignored until the page is really needed. */
  readonly warm: () => void
  /** Lets the next render retry a failed load. */
  readonly forgetFailure: () => void
}

/** A lazily loaded page. Unlike `React.lazy` it can retry after a failure. */
export function lazyPage({ load, words = [] }: LazyEntry): LazyPage {
  let loading: Promise<ComponentType> | undefined
  let hasFailed = false
  function start(): Promise<ComponentType> {
    if (loading) return loading
    hasFailed = false
    const added = words.map(async (loadWords) => addWords(...belowOperator(await loadWords())))
    loading = Promise.all([load(), ...added]).then(([component]) => component)
    loading.catch(() => {
      hasFailed = true
    })
    return loading
  }
  function forgetFailure(): void {
    if (hasFailed) loading = undefined
  }
  const warm = () => void start().catch(forgetFailure)
  return {
    // biome-ignore lint/correctness/noComponentHookFactories: called once for each page, while the module loads.
    Page: () => createElement(use(start())),
    warm,
    warmAhead: () => ahead(warm),
    forgetFailure,
  }
}

const belowOperator = (sections: Sections): Sections[] =>
  Object.entries(sections).map(([name, { en, zh }]) => ({ operator: { en: { [name]: en }, zh: { [name]: zh } } }))

export function forgetFailuresOf(pages: readonly LazyPage[]): void {
  for (const page of pages) page.forgetFailure()
}
