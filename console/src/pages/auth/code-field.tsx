import { Button, Input } from '@mantine/core'
import { type RefObject, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Icons } from '../../design/icons.tsx'
import { useWaitText } from '../../format/use-wait-text.ts'
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
  const waitText = useWaitText()
  const id = useId()
  return (
    <div>
      <Input.Wrapper
        id={id}
        label={t('auth.register.code')}
        description={t('auth.register.codeHint')}
        error={error}
        required
        withAsterisk={false}
      >
        <div className={styles.row}>
          <Input
            ref={inputRef}
            id={id}
            inputMode="numeric"
            autoComplete="one-time-code"
            name="code"
            value={value}
            // A pasted message brings spaces; the limit counts only the digits.
            onChange={(event) => onChange(event.currentTarget.value.normalize('NFKC').replace(/\D/g, '').slice(0, 6))}
            error={error !== null}
            aria-invalid={error !== null}
            required
          />
          <Button variant="default" onClick={onSend} loading={isSending} disabled={resendSeconds > 0}>
            {resendSeconds > 0
              ? t('auth.register.resendIn', { time: waitText(resendSeconds) })
              : t(wasSent ? 'auth.register.resend' : 'auth.register.sendCode')}
          </Button>
        </div>
      </Input.Wrapper>
      <div role="status" className={styles.status}>
        {wasSent && t('auth.register.codeSent')}
      </div>
      {smsInboxUrl && (
        <p className={styles.inbox}>
          {t('auth.register.inboxHint')}{' '}
          <a href={smsInboxUrl} target="_blank" rel="noreferrer">
            {t('auth.register.inbox')}
            <Icons.external size={13} />
          </a>
        </p>
      )}
    </div>
  )
}
