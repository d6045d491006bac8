import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Brand } from '../../design/brand.tsx'
import { Connection } from '../../design/connection.tsx'
import { Icons } from '../../design/icons.tsx'
import { PageHead } from '../../design/page-head.tsx'
import { Preferences } from '../../design/preferences.tsx'
import { place } from '../../place.ts'
import styles from './auth-layout.module.css'
import { Introduction } from './introduction.tsx'

/** The frame of the pages before one is signed in: what this is and what it costs, and the form. */
export function AuthLayout({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className={styles.page}>
      <Connection />
      <header className={styles.top}>
        <Brand />
        <a href={place.docs} className={styles.docs}>
          {t('nav.docs')}
          <Icons.external size={14} />
        </a>
        <Preferences />
      </header>
      <main className={styles.main}>
        <div className={styles.form}>
          <PageHead title={title} lead={lead} />
          <Suspense>{children}</Suspense>
        </div>
        <Introduction />
      </main>
    </div>
  )
}
