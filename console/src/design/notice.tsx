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
  /** Said at once by a screen reader; for what appears after something was done. */
  readonly isNews?: boolean
}

/** Something a reader should know at this place. */
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

/** What was done just now. It takes the focus, because what was used to do it is about to go. */
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

/** Counts down to an instant of this machine's clock, in whole seconds. */
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
  /** Prepares another attempt. Without it only a reload helps. */
  readonly onRetry?: () => void
  /** Where the reader is: going elsewhere is another attempt. */
  readonly at?: string
}

/** Stands in for what failed, for instance because a part of it could not be loaded. */
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

/** Browsers agree on the kind of error for an import that failed, not on its words. */
const isLoadingError = (error: unknown): boolean => error instanceof TypeError && /import|module/i.test(error.message)

/** An empty page of the ledger: says why, and what would fill it. */
export function Empty({ title, hint, actions }: { title: string; hint?: string; actions?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.emptyTitle}>{title}</p>
      {hint && <p>{hint}</p>}
      {actions && <div className={styles.emptyActions}>{actions}</div>}
    </div>
  )
}

/** Empty lines that hold the place until the rows are there. */
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
