import { type ComponentType, createElement, use } from 'react'

interface LazyPage {
  readonly Page: ComponentType
  /** Starts loading. A failure is forgotten, and shows when the page is really wanted. */
  readonly warm: () => void
  /** Lets the next render load again what could not be loaded. */
  readonly forgetFailure: () => void
}

/** A page in a file of its own. Unlike `React.lazy` it can be loaded again after a failure. */
export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  let loading: Promise<ComponentType> | undefined
  let hasFailed = false
  function start(): Promise<ComponentType> {
    if (loading) return loading
    hasFailed = false
    loading = load()
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
