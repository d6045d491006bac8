import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './page-head.module.css'

interface PageHeadProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
}

let isGoingBack = false
addEventListener('popstate', () => {
  isGoingBack = true
})

/** The heading of a page. It takes the focus when the page is entered, so that a screen reader says where one is. */
export function PageHead({ title, lead, actions }: PageHeadProps) {
  const { t } = useTranslation()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${t('product')}`
  }, [title, t])
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    // Whoever goes back wants to be where they were; the browser sees to that.
    if (!isGoingBack) scrollTo(0, 0)
    isGoingBack = false
  }, [])
  return (
    <header className={styles.head}>
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead && <p className={styles.lead}>{lead}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  )
}
