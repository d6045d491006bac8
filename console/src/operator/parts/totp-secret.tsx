import { useTranslation } from 'react-i18next'
import { Copy } from '../../design/copy.tsx'
import styles from '../pages/operators/operators.module.css'

/** The secret of one-time codes, for an authenticator app. */
export function TotpSecret({ uri }: { uri: string }) {
  const { t } = useTranslation()
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  return (
    <div className={styles.secret}>
      <span className={styles.label}>{t('operator.secret.byHand')}</span>
      <span className={styles.row}>
        <code>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
        <Copy text={secret} of={t('operator.secret.byHand')} />
      </span>
      <span className={styles.row}>
        <span className={styles.label}>{t('operator.secret.uri')}</span>
        <Copy text={uri} of={t('operator.secret.uri')} />
      </span>
    </div>
  )
}
