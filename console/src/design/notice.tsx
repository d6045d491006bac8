import i18next from 'i18next'
import { Component, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { isRefused, Refused, Unreachable } from '../api/ask.ts'
import { useSentence, useWaitText } from '../format/format.ts'
import { Button } from './button.tsx'
import { Icons } from './icons.tsx'
import styles from './notice.module.css'

export type Tone = 'plain' | 'good' | 'wait' | 'bad'

interface NoticeProps {
  readonly tone?: Tone
  readonly title?: ReactNode
  readonly children?: ReactNode
  readonly actions?: ReactNode
  /** Announced by screen readers immediately; for messages that follow an action. */
  readonly isNews?: boolean
}

export function Notice({ tone = 'plain', title, children, actions, isNews }: NoticeProps) {
  const Icon = { plain: Icons.info, good: Icons.check, wait: Icons.info, bad: Icons.warning }[tone]
  return (
    <div className={styles.notice} data-tone={tone} role={isNews ? (tone === 'bad' ? 'alert' : 'status') : undefined}>
      <span className={styles.icon}>
        <Icon />
      </span>
      <div className={styles.text}>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div>{children}</div>}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </div>
  )
}

/** A success message. Takes the focus, because the control that triggered it is about to disappear. */
export function News({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <div ref={place} tabIndex={-1} className={styles.news}>
      <Notice tone="good" isNews>
        {children}
      </Notice>
    </div>
  )
}

interface ProblemProps {
  readonly error: unknown
  readonly title?: string
  readonly onRetry?: (() => void) | undefined
  readonly children?: ReactNode
}

/** An error as a sentence that says what to do, with a countdown for rate limits. */
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
      {/* Announcing every second would drown out everything else. */}
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

/** Whole seconds until an instant of the local clock. */
export function useSecondsUntil(atMs: number | null): number {
  const [, tick] = useState(0)
  const seconds = atMs === null ? 0 : Math.max(0, Math.ceil((atMs - Date.now()) / 1000))
  const isCounting = seconds > 0
  useEffect(() => {
    if (!isCounting) return
    const timer = setInterval(() => tick((count) => count + 1), 250)
    return () => clearInterval(timer)
  }, [isCounting])
  return seconds
}

interface CrashProps {
  readonly children: ReactNode
  /** Prepares a retry. Without it only a reload is offered. */
  readonly onRetry?: () => void
  /** The current path: navigating retries. */
  readonly at?: string
}

/** Error boundary, for instance for a page whose script could not be loaded. */
export class Crash extends Component<CrashProps, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidMount() {
    addEventListener('online', this.#retry)
  }

  override componentDidUpdate({ at }: CrashProps) {
    if (at !== this.props.at) this.#retry()
  }

  override componentWillUnmount() {
    removeEventListener('online', this.#retry)
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    const isNotLoaded = isLoadingError(error)
    return (
      <div className={styles.crash}>
        <Notice
          tone="bad"
          isNews
          title={i18next.t(isNotLoaded ? 'trouble.notLoadedTitle' : 'trouble.title')}
          actions={
            <>
              {this.props.onRetry && <Button onClick={this.#retry}>{i18next.t('common.tryAgain')}</Button>}
              <Button variant="default" onClick={() => location.reload()}>
                {i18next.t('trouble.reload')}
              </Button>
            </>
          }
        >
          {i18next.t(isNotLoaded ? 'trouble.notLoaded' : 'trouble.crashed')}
        </Notice>
      </div>
    )
  }

  #retry = () => {
    if (this.state.error === null || !this.props.onRetry) return
    this.props.onRetry()
    this.setState({ error: null })
  }
}

/** Browsers agree on the error class for a failed import, not on its message. */
const isLoadingError = (error: unknown): boolean => error instanceof TypeError && /import|module/i.test(error.message)

/** The empty state of a list: says why it is empty and how to fill it. */
export function Empty({ title, hint, actions }: { title: string; hint?: string; actions?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.emptyTitle}>{title}</p>
      {hint && <p>{hint}</p>}
      {actions && <div className={styles.emptyActions}>{actions}</div>}
    </div>
  )
}

export function LoadingRows({ rows = 4 }: { rows?: number }) {
  const { t } = useTranslation()
  return (
    <div className={styles.rows} role="status" aria-label={t('common.loading')}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move.
        <span key={row} className={styles.row} style={{ width: `${90 - ((row * 17) % 40)}%` }} />
      ))}
    </div>
  )
}

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

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
