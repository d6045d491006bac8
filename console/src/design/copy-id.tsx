import { useTranslation } from 'react-i18next'
import styles from './copy-id.module.css'
import { Icons } from './icons.tsx'
import { useCopy } from './use-copy.ts'

interface CopyIdProps {
  readonly id: string
  /** What it is the id of. */
  readonly of: string
  /** Only its ends are shown; the whole is copied. */
  readonly isShort?: boolean
}

/** An id with a button that copies it. */
export function CopyId({ id, of, isShort }: CopyIdProps) {
  const { t } = useTranslation()
  const { outcome, copy } = useCopy(id)
  return (
    <span className={styles.id}>
      <code title={isShort ? id : undefined}>{isShort ? shortened(id) : id}</code>
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

/** Ids of one time begin alike, so that the end tells them apart. */
const shortened = (id: string) => (id.length > 14 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id)
