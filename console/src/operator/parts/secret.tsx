import { Copy } from '../../design/copy.tsx'
import styles from './secret.module.css'

interface SecretProps {
  readonly label: string
  readonly text: string
  /** Easier to read than the text itself. */
  readonly shown?: string
}

/** Something to be passed on as it is. */
export const Secret = ({ label, text, shown = text }: SecretProps) => (
  <div className={styles.secret}>
    <span className={styles.label}>{label}</span>
    <span className={styles.row}>
      <code>{shown}</code>
      <Copy text={text} of={label} />
    </span>
  </div>
)
