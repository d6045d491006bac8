import type { ReactNode } from 'react'
import { Icons } from './icons.tsx'
import styles from './steps.module.css'

export interface Step {
  readonly key: string
  readonly title: ReactNode
  readonly time?: ReactNode
  readonly hint?: ReactNode
  readonly state: 'done' | 'now' | 'later' | 'wait'
}

export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map(({ key, title, time, hint, state }) => (
        <li key={key} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
          <span className={styles.dot}>{state === 'done' && <Icons.check size={14} />}</span>
          <div className={styles.text}>
            <p className={styles.title}>
              <span>{title}</span> {time && <span className={styles.time}>{time}</span>}
            </p>
            {hint && <div className={styles.hint}>{hint}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}
