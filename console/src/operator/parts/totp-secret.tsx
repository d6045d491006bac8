import { useTranslation } from 'react-i18next'
import { Copy } from '../../design/copy.tsx'
import { QrCode } from '../../design/qr-code.tsx'
import styles from './secret.module.css'
import { Secret } from './secret.tsx'

/** The secret of one-time codes, for an authenticator app. */
export function TotpSecret({ uri }: { uri: string }) {
  const { t } = useTranslation()
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  return (
    <div className={styles.app}>
      <QrCode text={uri} label={t('operator.secret.qrCode')} />
      <div>
        <p>{t('operator.secret.scan')}</p>
        <Secret label={t('operator.secret.byHand')} text={secret} shown={secret.replaceAll(/(.{4})(?=.)/g, '$1 ')} />
        <span className={styles.row}>
          <span className={styles.label}>{t('operator.secret.uri')}</span>
          <Copy text={uri} of={t('operator.secret.uri')} />
        </span>
      </div>
    </div>
  )
}
