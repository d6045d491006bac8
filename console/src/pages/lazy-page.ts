import { type ComponentType, createElement, use } from 'react'
import { addWords, type LoadWords } from '../i18n/i18n.ts'

interface LazyPage {
  readonly Page: ComponentType
  /** Starts loading. A failure is forgotten, and shows when the page is really wanted. */
  readonly warm: () => void
  /** Lets the next render load again what could not be loaded. */
  readonly forgetFailure: () => void
}

/** A page in a file of its own, with the words that only it uses. Unlike `React.lazy` it can be loaded again after a failure. */
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
