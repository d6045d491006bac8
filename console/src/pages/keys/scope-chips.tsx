import { useTranslation } from 'react-i18next'
import { scopes as allScopes } from '../../../../src/contract/prices.ts'
import type { Key } from '../../api/types.ts'
import styles from './scope-chips.module.css'

/** So many stand beside each other without a second line. */
const most = 2

/** What a key may do, in one line. */
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
  const shown = scopes.slice(0, most)
  const rest = scopes.slice(shown.length)
  return (
    <span className={styles.chips} title={scopes.join(', ')}>
      {shown.map((scope) => (
        <code key={scope} className={styles.chip}>
          {scope}
        </code>
      ))}
      {rest.length > 0 && (
        <span className={styles.chip}>
          <span aria-hidden="true">+{rest.length}</span>
          <span className={styles.heard}>{rest.join(', ')}</span>
        </span>
      )}
    </span>
  )
}
