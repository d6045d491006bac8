import type { ReactNode } from 'react'
import styles from './code-block.module.css'
import { Copy } from './copy.tsx'

interface CodeBlockProps {
  readonly label: string
  readonly code: string
  readonly hint?: ReactNode
  readonly isTall?: boolean
  /** Long lines are broken: it is to be read, not pasted into a terminal. */
  readonly isWrapped?: boolean
}

/** Text for a terminal or from the wire, ready to copy. */
export function CodeBlock({ label, code, hint, isTall, isWrapped }: CodeBlockProps) {
  return (
    <figure className={styles.block}>
      <figcaption className={styles.head}>
        <span>{label}</span>
        <Copy text={code} of={label} />
      </figcaption>
      <section
        className={styles.code}
        data-tall={isTall || undefined}
        data-wrapped={isWrapped || undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it.
        tabIndex={0}
        aria-label={label}
      >
        <pre>{code}</pre>
      </section>
      {hint && <p className={styles.hint}>{hint}</p>}
    </figure>
  )
}
