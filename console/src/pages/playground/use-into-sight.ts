import { useEffect, useRef } from 'react'
import type { Run } from './tab-memory.ts'

/** Brings the response into sight where it stands below the form: else whoever presses Run sees nothing happen. */
export function useIntoSight({ isRunning }: Run) {
  const frame = useRef<HTMLDivElement>(null)
  const hasRun = useRef(false)
  useEffect(() => {
    // Not a response that was here when the page was opened.
    if (isRunning) hasRun.current = true
    if (!hasRun.current || matchMedia('(min-width: 1100px)').matches) return
    frame.current?.parentElement?.scrollIntoView({ block: 'start' })
  }, [isRunning])
  return frame
}
