import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import styles from './page.module.css'

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

interface SheetProps {
  readonly title?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
  readonly className?: string | undefined
}

/** A leaf of the ledger: one subject, a double rule above it. */
export function Sheet({ title, actions, children, className }: SheetProps) {
  const id = useId()
  return (
    <section className={[styles.sheet, className].filter(Boolean).join(' ')} aria-labelledby={title ? id : undefined}>
      {(title || actions) && (
        <div className={styles.sheetHead}>
          {title && <h2 id={id}>{title}</h2>}
          {actions && <div className={styles.sheetActions}>{actions}</div>}
        </div>
      )}
      {children}
    </section>
  )
}

/** The class of a page that uses more width than text would want. */
export const wide = styles.wide!

/** A heading, a tall sheet and a second one: what most pages begin with. */
export const PageSkeleton = ({ label }: { label?: string }) => (
  <div className="skeleton-page" {...(label && { role: 'status', 'aria-label': label })}>
    <span className="skeleton-title" />
    <span className="skeleton-sheet" />
    <span className="skeleton-sheet" />
  </div>
)

export function NoSuchPage() {
  const { t } = useTranslation()
  return (
    <div>
      <PageHead title={t('common.notFound')} lead={t('common.notFoundHint')} />
      <p>
        <Link href="/">{t('common.toOverview')}</Link>
      </p>
    </div>
  )
}
