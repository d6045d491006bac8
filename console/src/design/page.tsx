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

/** After loading, the first Tab goes to the top of the page, and the browser announces the title. */
let isFirstPage = true

/** The heading of a page. Takes the focus after navigating, so that screen readers announce the page. */
export function PageHead({ title, lead, actions }: PageHeadProps) {
  const { t } = useTranslation()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${t('product')}`
  }, [title, t])
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus({ preventScroll: true })
    isFirstPage = false
    // When going back, the browser restores the scroll position.
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

export const wide = styles.wide!

export const stack = styles.stack!

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
