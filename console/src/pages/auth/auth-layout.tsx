import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHead } from '../../design/page-head.tsx'
import { Brand } from '../../shell/brand.tsx'
import { Connection } from '../../shell/connection.tsx'
import { Preferences } from '../../shell/preferences.tsx'
import styles from './auth-layout.module.css'

/** The frame of the pages before one is signed in: what this is, and the form. */
export function AuthLayout({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className={styles.page}>
      <Connection />
      <header className={styles.top}>
        <Brand />
        <Preferences />
      </header>
      <main className={styles.main}>
        <div className={styles.form}>
          <PageHead title={title} lead={lead} />
          <Suspense>{children}</Suspense>
        </div>
        <aside className={styles.aside}>
          <h2>{t('auth.aside.title')}</h2>
          <dl className={styles.rules}>
            {(['reserve', 'settle', 'release', 'review'] as const).map((rule) => (
              <div key={rule}>
                <dt>{t(`auth.aside.${rule}Name`)}</dt>
                <dd>{t(`auth.aside.${rule}`)}</dd>
              </div>
            ))}
          </dl>
        </aside>
      </main>
    </div>
  )
}
