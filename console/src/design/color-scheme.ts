import { useSyncExternalStore } from 'react'

export type ColorScheme = 'light' | 'dark' | 'auto'

/** Also read by before-paint.js, which applies the choice before the first paint. */
const storageKey = 'console-color-scheme'
const systemDark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()
let chosen = storedScheme()

systemDark.addEventListener('change', apply)
// Another tab changed it.
addEventListener('storage', ({ key }) => {
  if (key === storageKey) become(storedScheme())
})

function storedScheme(): ColorScheme {
  try {
    const stored = localStorage.getItem(storageKey)
    return stored === 'light' || stored === 'dark' ? stored : 'auto'
  } catch {
    return 'auto'
  }
}

function apply(): void {
  const isDark = chosen === 'dark' || (chosen === 'auto' && systemDark.matches)
  document.documentElement.dataset.colorScheme = isDark ? 'dark' : 'light'
}

function become(scheme: ColorScheme): void {
  chosen = scheme
  apply()
  for (const notify of listeners) notify()
}

function choose(scheme: ColorScheme): void {
  try {
    localStorage.setItem(storageKey, scheme)
  } catch {
    // Storage is blocked: the choice lasts until the page is reloaded.
  }
  become(scheme)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useColorScheme = () => [useSyncExternalStore(subscribe, () => chosen), choose] as const
