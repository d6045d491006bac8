import type { ReactNode } from 'react'
import { Brand } from '../brand.tsx'
import { Connection } from '../connection.tsx'
import { PageHead } from '../page-head.tsx'
import { Preferences } from '../preferences.tsx'
import styles from './entrance.module.css'

interface EntranceProps {
  readonly title: string
  readonly lead: ReactNode
  /** In the bar above. */
  readonly link?: ReactNode
  /** Beside the form, or below it where there is no room. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** The frame of the pages before one is signed in. */
export function Entrance({ title, lead, link, aside, children }: EntranceProps) {
  return (
    <div className={styles.page}>
      <Connection />
      <header className={styles.top}>
        <Brand />
        {link}
        <Preferences />
      </header>
      <main className={styles.main} data-alone={!aside || undefined}>
        <div className={styles.form}>
          <PageHead title={title} lead={lead} />
          {children}
        </div>
        {aside}
      </main>
    </div>
  )
}
