import type { CSSProperties, ReactNode } from 'react'
import styles from './bar-tip.module.css'

/** Beside the bar that is looked at. A screen reader hears the same from the bar itself. */
export function BarTip({ place, children }: { place: number; children: ReactNode }) {
  const side =
    place < 0.5
      ? { '--start': `calc(${place * 100}% + 1rem)`, '--end': 'auto' }
      : { '--start': 'auto', '--end': `calc(${(1 - place) * 100}% + 1rem)` }
  return (
    <div className={styles.tip} style={side as CSSProperties} aria-hidden="true">
      {children}
    </div>
  )
}

interface TipLineProps {
  readonly name: string
  readonly value: string
  readonly colour: string
}

export const TipLine = ({ name, value, colour }: TipLineProps) => (
  <li className={styles.line}>
    <span className={styles.swatch} style={{ background: colour }} />
    <span>{name}</span>
    <span className={styles.number}>{value}</span>
  </li>
)

export const TipHead = ({ children }: { children: ReactNode }) => <p className={styles.head}>{children}</p>
