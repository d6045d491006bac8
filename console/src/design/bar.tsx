import styles from './bar.module.css'

interface BarProps {
  readonly percent: number
  /** What it is the share of. */
  readonly label: string
  readonly tone?: 'good' | 'wait' | 'bad'
}

/** How much is done or used up. */
export const Bar = ({ percent, label, tone = 'good' }: BarProps) => (
  <div
    className={styles.bar}
    role="progressbar"
    aria-label={label}
    aria-valuenow={Math.round(percent)}
    aria-valuemin={0}
    aria-valuemax={100}
  >
    <span className={styles.done} data-tone={tone} style={{ width: `${percent}%` }} />
  </div>
)
