import styles from './credit-bar.module.css'

/** Where credits that once came are now. */
export const creditParts = ['spent', 'reserved', 'available'] as const
export type CreditPart = (typeof creditParts)[number]

/** How the credits divide into those spent, reserved and available. */
export const CreditBar = ({ credits, label }: { credits: Record<CreditPart, number>; label: string }) => (
  <div className={styles.bar} role="img" aria-label={label}>
    {creditParts
      .filter((part) => credits[part] > 0)
      .map((part) => (
        <span key={part} className={styles[part]} style={{ flexGrow: credits[part] }} />
      ))}
  </div>
)

/** The colour that a part has in the bar. */
export const PartMark = ({ part }: { part: CreditPart }) => <span className={`${styles.mark} ${styles[part]}`} />
