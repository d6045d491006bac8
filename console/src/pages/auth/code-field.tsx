import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/button.tsx'
import { TextInput } from '../../design/field.tsx'
import { Icons } from '../../design/icons.tsx'
import { useWaitText } from '../../format/use-wait-text.ts'
import { verificationCodeOf } from '../../format/verification-code.ts'
import { smsInboxUrl } from '../../place.ts'
import styles from './code-field.module.css'
import type { Challenge } from './use-challenge.ts'

interface CodeFieldProps {
  readonly label: string
  readonly hint: string
  /** What to say once a code is on its way. */
  readonly sentText: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | null
  readonly challenge: Challenge
  /** Null where no other code can be asked for. */
  readonly onSend: (() => void) | null
  readonly inputRef: RefObject<HTMLInputElement | null>
}

/** The code from the message, beside the button that asks for it. */
export function CodeField(props: CodeFieldProps) {
  const { label, hint, sentText, value, onChange, error, challenge, onSend, inputRef } = props
  const { wasSent, isSending, resendSeconds, digits } = challenge
  const { t } = useTranslation()
  const waitText = useWaitText()
  return (
    <div>
      <TextInput
        ref={inputRef}
        label={label}
        description={hint}
        error={error}
        inputMode="numeric"
        autoComplete="one-time-code"
        name="code"
        value={value}
        onChange={(event) => onChange(verificationCodeOf(event.currentTarget.value, digits))}
        onPaste={(event) => {
          // Read here, because the field drops line breaks and would join numbers.
          const code = verificationCodeOf(event.clipboardData.getData('text'), digits)
          if (code.length < digits) return
          event.preventDefault()
          onChange(code)
        }}
        required
        after={
          onSend && (
            <Button variant="default" onClick={onSend} loading={isSending} disabled={resendSeconds > 0}>
              {resendSeconds > 0
                ? t('auth.register.resendIn', { time: waitText(resendSeconds) })
                : t(wasSent ? 'auth.register.resend' : 'auth.register.sendCode')}
            </Button>
          )
        }
      />
      <div role="status" className={styles.status}>
        {wasSent && sentText}
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
