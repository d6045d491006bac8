import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './connection.module.css'
import { Icons } from './icons.tsx'

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** Says when the machine is offline: what is on the page is from before. */
export function Connection() {
  const { t } = useTranslation()
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status">
      {!isOnline && (
        <p className={styles.offline}>
          <Icons.offline />
          {t('trouble.offline')}
        </p>
      )}
    </div>
  )
}
