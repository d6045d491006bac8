import { type ReactNode, useEffect, useRef } from 'react'
import styles from './news.module.css'
import { Notice } from './notice.tsx'

/** What was done just now. It takes the focus, because what was used to do it is about to go. */
export function News({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <div ref={place} tabIndex={-1} className={styles.news}>
      <Notice tone="good" isNews>
        {children}
      </Notice>
    </div>
  )
}
