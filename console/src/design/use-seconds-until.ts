import { useEffect, useState } from 'react'

/** Counts down to an instant of this machine's clock, in whole seconds. */
export function useSecondsUntil(atMs: number | null): number {
  const [, tick] = useState(0)
  const seconds = atMs === null ? 0 : Math.max(0, Math.ceil((atMs - Date.now()) / 1000))
  const isCounting = seconds > 0
  useEffect(() => {
    if (!isCounting) return
    const timer = setInterval(() => tick((count) => count + 1), 250)
    return () => clearInterval(timer)
  }, [isCounting])
  return seconds
}
