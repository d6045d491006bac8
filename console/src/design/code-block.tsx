import type { ReactNode } from 'react'
import styles from './code-block.module.css'
import { Copy } from './copy.tsx'

interface CodeBlockProps {
  readonly label: string
  readonly code: string
  readonly hint?: ReactNode
  readonly isTall?: boolean
}

/** Text for a terminal or from the wire, ready to copy. */
export function CodeBlock({ label, code, hint, isTall }: CodeBlockProps) {
  return (
    <figure className={styles.block}>
      <figcaption className={styles.head}>
        <span>{label}</span>
        <Copy text={code} of={label} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it. */}
      <section className={styles.code} data-tall={isTall || undefined} tabIndex={0} aria-label={label}>
        <pre>{code}</pre>
      </section>
      {hint && <p className={styles.hint}>{hint}</p>}
    </figure>
  )
}
