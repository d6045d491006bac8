import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import styles from './copy.module.css'
import { Icons } from './icons.tsx'

interface CopyProps {
  readonly text: string
  /** What is copied, for screen readers. */
  readonly of: string
  readonly onCopied?: () => void
  readonly isMain?: boolean
}

export function Copy({ text, of, onCopied, isMain }: CopyProps) {
  const { t } = useTranslation()
  const { outcome, copy } = useCopy(text, onCopied)
  return (
    <Button
      size={isMain ? 'sm' : 'compact-sm'}
      variant={isMain ? 'filled' : 'subtle'}
      icon={outcome === 'copied' ? <Icons.check size={16} /> : <Icons.copy size={16} />}
      onClick={copy}
      aria-label={outcome ? t(`common.${outcome}`) : `${t('common.copy')}: ${of}`}
      aria-live="polite"
    >
      {t(`common.${outcome ?? 'copy'}`)}
    </Button>
  )
}

interface CopyIdProps {
  readonly id: string
  /** What the ID identifies. */
  readonly of: string
  /** Shows only the ends; copies the whole ID. */
  readonly isShort?: boolean
  /** One line, cut where its column ends; the whole text on hover. */
  readonly isCut?: boolean
  /** What hovering shows; the whole text by default. */
  readonly hint?: string
}

export function CopyId({ id, of, isShort, isCut, hint }: CopyIdProps) {
  const { t } = useTranslation()
  const { outcome, copy } = useCopy(id)
  return (
    <span className={styles.id} data-cut={isCut || undefined}>
      <code title={hint ?? (isShort || isCut ? id : undefined)}>{isShort ? shortened(id) : id}</code>
      <button
        type="button"
        className={`${styles.copy} not-printed`}
        onClick={copy}
        aria-label={outcome ? t(`common.${outcome}`) : `${t('common.copy')}: ${of} ${id}`}
        title={t(`common.${outcome ?? 'copy'}`)}
        aria-live="polite"
      >
        {outcome === 'copied' ? <Icons.check size={14} /> : <Icons.copy size={14} />}
      </button>
    </span>
  )
}

/** IDs created at about the same time share a prefix, so the end is shown too. */
const shortened = (id: string) => (id.length > 14 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id)

/** Copies a text and briefly reports the outcome. */
function useCopy(text: string, onCopied?: () => void) {
  const [outcome, setOutcome] = useState<'copied' | 'copyFailed' | null>(null)
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(null), 2500)
    return () => clearTimeout(timer)
  }, [outcome])
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
      onCopied?.()
    } catch {
      setOutcome('copyFailed')
    }
  }
  return { outcome, copy }
}

interface CodeBlockProps {
  readonly label: string
  readonly code: string
  readonly hint?: ReactNode
  readonly isTall?: boolean
  /** Wraps long lines: for reading, not for pasting into a terminal. */
  readonly isWrapped?: boolean
}

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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable, so it must be reachable by keyboard.
        tabIndex={0}
        aria-label={label}
      >
        <pre>{code}</pre>
      </section>
      {hint && <p className={styles.hint}>{hint}</p>}
    </figure>
  )
}
