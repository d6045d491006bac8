import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Entrance } from '../../design/frame/entrance.tsx'
import { Icons } from '../../design/icons.tsx'
import { place } from '../../place.ts'
import styles from './auth-layout.module.css'
import { Introduction } from './introduction.tsx'

/** The frame of the pages before one is signed in: what this is and what it costs, and the form. */
export function AuthLayout({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Entrance
      title={title}
      lead={lead}
      link={
        <a href={place.docs} className={styles.docs}>
          {t('nav.docs')}
          <Icons.external size={14} />
        </a>
      }
      aside={<Introduction />}
    >
      <Suspense>{children}</Suspense>
    </Entrance>
  )
}
