import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { Notice, type Tone } from '../../design/notice.tsx'
import styles from './news.module.css'

interface Told {
  readonly text: string
  readonly tone: Tone
}

const Context = createContext<{ told: Told | null; tell: (told: Told | null) => void }>({ told: null, tell: () => {} })

/** What was just done, above the page, until the operator goes elsewhere. */
export function NewsProvider({ children }: { children: ReactNode }) {
  const [told, tell] = useState<Told | null>(null)
  const [location] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it belongs to the page on which it was told.
  useEffect(() => tell(null), [location])
  return <Context value={{ told, tell }}>{children}</Context>
}

export function News() {
  const { told } = useContext(Context)
  return (
    // Always there, so that a screen reader announces what appears in it.
    <div role="status" className={styles.news}>
      {told && <Notice tone={told.tone}>{told.text}</Notice>}
    </div>
  )
}

export function useTell(): (text: string, tone?: Tone) => void {
  const { tell } = useContext(Context)
  return (text, tone = 'good') => {
    tell({ text, tone })
    scrollTo({ top: 0 })
  }
}
