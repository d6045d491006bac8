import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isRefused, Refused, Unreachable } from '../api/refusal.ts'
import { useSentence } from '../format/use-sentence.ts'
import { useWaitText } from '../format/use-wait-text.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import styles from './problem.module.css'
import { useSecondsUntil } from './use-seconds-until.ts'

interface ProblemProps {
  readonly error: unknown
  readonly title?: string
  readonly onRetry?: (() => void) | undefined
  readonly children?: ReactNode
}

/** What went wrong, as a sentence that says what to do; with the wait that a limit asks for. */
export function Problem({ error, title, onRetry, children }: ProblemProps) {
  const { t } = useTranslation()
  const sentence = useSentence()
  const waitText = useWaitText()
  const isLimit = isRefused(error, 'RATE_LIMITED')
  const waitSeconds = useSecondsUntil(error instanceof Refused ? error.retryAtMs : null)
  const heading =
    title ??
    (isLimit ? t('trouble.waitTitle') : error instanceof Unreachable ? t('trouble.offlineTitle') : t('trouble.title'))

  return (
    <Notice
      tone={isLimit ? 'wait' : 'bad'}
      isNews
      title={heading}
      actions={
        (onRetry || children) && (
          <>
            {onRetry && (
              <Button size="xs" variant="default" onClick={onRetry} disabled={waitSeconds > 0}>
                {t('common.tryAgain')}
              </Button>
            )}
            {children}
          </>
        )
      }
    >
      <p>{sentence(error)}</p>
      {/* Counting aloud each second would drown everything else. */}
      {isLimit && error.retryAtMs !== null && (
        <p aria-live="off">
          {waitSeconds > 0 ? t('trouble.wait', { time: waitText(waitSeconds) }) : t('trouble.waitOver')}
        </p>
      )}
      {error instanceof Refused && error.status >= 500 && error.requestId && (
        <p className={styles.request}>{t('trouble.request', { id: error.requestId })}</p>
      )}
    </Notice>
  )
}
