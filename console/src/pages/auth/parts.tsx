import { type ReactNode, type RefObject, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { billableOperations, creditsPerYuan, mediaOperation, prices } from '../../../../src/contract/prices.ts'
import { isRefused, Unreachable } from '../../api/ask.ts'
import { Button } from '../../design/button.tsx'
import { TextInput, type TextInputProps } from '../../design/field.tsx'
import { useCreditsText } from '../../design/figures.tsx'
import { Entrance } from '../../design/frame.tsx'
import { Icons } from '../../design/icons.tsx'
import { Notice, Problem } from '../../design/notice.tsx'
import { verificationCodeOf } from '../../format/contact.ts'
import { useFormat, useWaitText } from '../../format/format.ts'
import { type HandedCredentials, handedCredentials } from '../../handoff.ts'
import { mediaCreditsPerSecond, paths, smsInboxUrl } from '../../installation.ts'
import styles from './auth.module.css'
import type { Challenge } from './use-challenge.ts'

export function AuthLayout({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Entrance
      title={title}
      lead={lead}
      link={
        <a href={paths.docs} className={styles.docs}>
          {t('nav.docs')}
          <Icons.external size={14} />
        </a>
      }
      aside={<Introduction />}
    >
      <Suspense>{children}</Suspense>
    </Entrance>
  )
}

const rules = ['reserve', 'settle', 'release', 'review'] as const

/** For new visitors: what this is, how calls are charged and what they cost. */
function Introduction() {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  return (
    <aside className={styles.introduction} aria-labelledby="introduction">
      <h2 id="introduction">{t('auth.aside.title')}</h2>
      <p className={styles.lead}>{t('auth.aside.lead')}</p>
      <h3>{t('auth.aside.charging')}</h3>
      <ol className={styles.rules}>
        {rules.map((rule) => (
          <li key={rule}>
            <strong>{t(`auth.aside.${rule}Name`)}</strong> <span>{t(`auth.aside.${rule}`)}</span>
          </li>
        ))}
      </ol>
      <h3>{t('auth.aside.prices')}</h3>
      <p className={styles.note}>{t('auth.aside.rate', { credits: format.number(creditsPerYuan) })}</p>
      <ul className={styles.prices}>
        {billableOperations.map((operation) => (
          <li key={operation}>
            <span>{t(`operations.${operation}`)}</span>
            <span className={styles.price}>
              {format.yuanOfCredits(prices[operation].credits)}{' '}
              <span className={styles.credits}>{creditsText(prices[operation].credits)}</span>
            </span>
          </li>
        ))}
        <li>
          <span>{t(`operations.${mediaOperation}`)}</span>
          <span className={styles.price}>
            {format.yuanOfCredits(mediaCreditsPerSecond)}{' '}
            <span className={styles.credits}>
              {t('common.perSecond', { credits: creditsText(mediaCreditsPerSecond) })}
            </span>
          </span>
        </li>
      </ul>
      <p>
        <a href={paths.docs}>{t('auth.aside.docs')}</a>
      </p>
    </aside>
  )
}

interface CodeFieldProps {
  readonly label: string
  readonly hint: string
  /** Shown after a code was sent. */
  readonly sentText: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | null
  readonly challenge: Challenge
  /** Null if no other code can be requested. */
  readonly onSend: (() => void) | null
  readonly inputRef: RefObject<HTMLInputElement | null>
}

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
          // Parsed here, because the input drops line breaks and would join numbers.
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

interface EmailFieldProps extends Pick<TextInputProps, 'label' | 'description' | 'error'> {
  readonly value: string
  readonly onChange: (value: string) => void
}

export const EmailField = ({ onChange, ...field }: EmailFieldProps) => (
  <TextInput
    {...field}
    type="email"
    autoComplete="email"
    name="email"
    maxLength={254}
    onChange={(event) => onChange(event.currentTarget.value)}
    required
  />
)

interface TrySigningInProps {
  readonly error: Error
  /** What may have happened if no response arrived. */
  readonly unknown: string
  readonly path: string
  readonly handed: HandedCredentials
}

/** An error. If the request may have succeeded anyway, offers to sign in with what was typed. */
export function TrySigningIn({ error, unknown, path, handed }: TrySigningInProps) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const tryToSignIn = (
    <Button
      size="xs"
      onClick={() => {
        handedCredentials.give(handed)
        navigate(path)
      }}
    >
      {t('auth.register.tryToSignIn')}
    </Button>
  )
  if (error instanceof Unreachable) {
    return (
      <Notice tone="wait" isNews title={t('auth.register.unknownTitle')} actions={tryToSignIn}>
        {unknown}
      </Notice>
    )
  }
  const isSignInBetter = isRefused(error, 'ACCOUNT_ALREADY_EXISTS', 'ACCOUNT_UNAVAILABLE', 'VERIFICATION_CONFLICT')
  return <Problem error={error}>{isSignInBetter && tryToSignIn}</Problem>
}
