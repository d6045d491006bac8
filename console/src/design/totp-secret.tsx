import { Copy } from './copy.tsx'
import { QrCode } from './qr-code.tsx'
import styles from './totp-secret.module.css'

interface SecretProps {
  readonly label: string
  readonly text: string
  /** A more readable form of the text. */
  readonly shown?: string
}

export const Secret = ({ label, text, shown = text }: SecretProps) => (
  <div className={styles.secret}>
    <span className={styles.label}>{label}</span>
    <span className={styles.row}>
      <code>{shown}</code>
      <Copy text={text} of={label} />
    </span>
  </div>
)

interface TotpSecretProps {
  readonly uri: string
  readonly words: { readonly qrCode: string; readonly scan: string; readonly byHand: string; readonly uri?: string }
}

export function TotpSecret({ uri, words }: TotpSecretProps) {
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  return (
    <div className={styles.app}>
      <QrCode text={uri} label={words.qrCode} />
      <div>
        <p>{words.scan}</p>
        <Secret label={words.byHand} text={secret} shown={secret.replaceAll(/(.{4})(?=.)/g, '$1 ')} />
        {words.uri && (
          <span className={styles.row}>
            <span className={styles.label}>{words.uri}</span>
            <Copy text={uri} of={words.uri} />
          </span>
        )}
      </div>
    </div>
  )
}
