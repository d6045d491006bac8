import { useTranslation } from 'react-i18next'
import type { Key } from '../../api/types.ts'
import { KeyMark } from '../../design/state-mark.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './key-chain.module.css'

/** The keys that replaced each other, oldest first; they share one budget. */
export function KeyChain({ of, keys }: { of: Key; keys: readonly Key[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const chain = chainOf(of, keys)
  if (chain.length < 2) return null
  return (
    <section>
      <h3 className={styles.title}>{t('keys.chain')}</h3>
      <p className={styles.hint}>{t('keys.chainHint')}</p>
      <ol className={styles.chain}>
        {chain.map(({ keyId, displayPrefix, createdAt, state }) => (
          <li key={keyId} aria-current={keyId === of.keyId || undefined}>
            <code>{displayPrefix}</code> <KeyMark state={state} />{' '}
            <span className={styles.hint}>{format.dateTime(createdAt)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function chainOf(of: Key, keys: readonly Key[]): Key[] {
  const byId = new Map(keys.map((key) => [key.keyId, key]))
  const firstOf = (key: Key): Key => {
    const before = key.rotatedFromKeyId === null ? undefined : byId.get(key.rotatedFromKeyId)
    return before ? firstOf(before) : key
  }
  const first = firstOf(of)
  return keys.filter((key) => firstOf(key) === first).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
}
