/** Whether the reader asked the browser to save data. */
const savesData = (): boolean =>
  (navigator as { readonly connection?: { readonly saveData?: boolean } }).connection?.saveData === true

/** Loads what is not needed yet, unless data is to be saved. */
export function ahead(load: () => void): void {
  if (!savesData()) load()
}

/** Long enough for a new page to have requested its data. */
const calmMs = 1000

/** Loads pages one by one while the browser is idle. */
export function warmWhenIdle(pages: readonly { readonly warm: () => void }[], isBusy: () => boolean): () => void {
  if (savesData()) return () => {}
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
  const { requestIdleCallback } = globalThis as { requestIdleCallback?: (work: () => void) => void }
  if (requestIdleCallback) requestIdleCallback(() => work())
  else setTimeout(work, 300)
}
