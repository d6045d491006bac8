import type { ReactNode } from 'react'
import { Icons } from './icons.tsx'
import styles from './notice.module.css'

export type Tone = 'plain' | 'good' | 'wait' | 'bad'

interface NoticeProps {
  readonly tone?: Tone
  readonly title?: ReactNode
  readonly children?: ReactNode
  readonly actions?: ReactNode
  /** Said at once by a screen reader; for what appears after something was done. */
  readonly isNews?: boolean
}

/** Something a reader should know at this place. */
export function Notice({ tone = 'plain', title, children, actions, isNews }: NoticeProps) {
  const Icon = { plain: Icons.info, good: Icons.check, wait: Icons.info, bad: Icons.warning }[tone]
  return (
    <div className={styles.notice} data-tone={tone} role={isNews ? (tone === 'bad' ? 'alert' : 'status') : undefined}>
      <span className={styles.icon}>
        <Icon />
      </span>
      <div className={styles.text}>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div>{children}</div>}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </div>
  )
}
