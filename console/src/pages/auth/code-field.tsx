import { Button, TextInput } from '@mantine/core'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Icons } from '../../design/icons.tsx'
import { smsInboxUrl } from '../../place.ts'
import styles from './code-field.module.css'

interface CodeFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | null
  readonly wasSent: boolean
  readonly isSending: boolean
  readonly resendSeconds: number
  readonly onSend: () => void
  readonly inputRef: RefObject<HTMLInputElement | null>
}

/** The code from the message, beside the button that asks for it. */
export function CodeField(props: CodeFieldProps) {
  const { value, onChange, error, wasSent, isSending, resendSeconds, onSend, inputRef } = props
  const { t } = useTranslation()
  return (
    <div>
      <div className={styles.row}>
        <TextInput
          ref={inputRef}
          label={t('auth.register.code')}
          description={t('auth.register.codeHint')}
          inputMode="numeric"
          autoComplete="one-time-code"
          name="code"
          maxLength={6}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value.replace(/\D/g, ''))}
          error={error}
          className={styles.input ?? ''}
          required
          withAsterisk={false}
        />
        <Button variant="default" onClick={onSend} loading={isSending} disabled={resendSeconds > 0}>
          {resendSeconds > 0
            ? t('auth.register.resendIn', { seconds: resendSeconds })
            : t(wasSent ? 'auth.register.resend' : 'auth.register.sendCode')}
        </Button>
      </div>
      <div role="status" className={styles.status}>
        {wasSent && t('auth.register.codeSent')}
      </div>
      {smsInboxUrl && (
        <p className={styles.inbox}>
          {t('auth.register.inboxHint')}{' '}
          <a href={smsInboxUrl} target="_blank" rel="noreferrer">
            {t('auth.register.inbox')} <Icons.external size={13} />
          </a>
        </p>
      )}
    </div>
  )
}
