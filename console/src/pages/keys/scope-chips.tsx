import { useTranslation } from 'react-i18next'
import { scopes as allScopes } from '../../../../src/contract/prices.ts'
import type { Key } from '../../api/types.ts'
import hidden from '../../design/visually-hidden.module.css'
import styles from './scope-chips.module.css'

/** What a key may do: two permissions, below each other where there is no room beside, and how many more. */
export function ScopeChips({ scopes }: { scopes: Key['scopes'] }) {
  const { t } = useTranslation()
  if (scopes.length === allScopes.length) {
    return (
      <span className={styles.chips}>
        <span className={styles.chip} data-all>
          {t('keys.allScopes')}
        </span>
      </span>
    )
  }
  const [first, second, ...rest] = scopes
  return (
    <span className={styles.chips} title={scopes.join(', ')}>
      <code className={styles.chip}>{first}</code>
      {second && (
        <span className={styles.line}>
          <code className={styles.chip}>{second}</code>
          {rest.length > 0 && (
            <span className={styles.chip}>
              <span aria-hidden="true">+{rest.length}</span>
              <span className={hidden.text}>{rest.join(', ')}</span>
            </span>
          )}
        </span>
      )}
    </span>
  )
}
