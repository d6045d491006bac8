import { type ReactNode, useId } from 'react'
import styles from './sheet.module.css'

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
        <div className={styles.head}>
          {title && <h2 id={id}>{title}</h2>}
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
      )}
      {children}
    </section>
  )
}
