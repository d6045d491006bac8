import type { ReactNode } from 'react'
import styles from './empty.module.css'

/** An empty page of the ledger: says why, and what would fill it. */
export function Empty({ title, hint, actions }: { title: string; hint?: string; actions?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {hint && <p>{hint}</p>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
