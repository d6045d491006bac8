import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { LoadingRows, Notice, Problem, type Tone } from '../../design/notice.tsx'
import type { CallProps } from '../../design/tables.tsx'
import { TotpSecret } from '../../design/totp-secret.tsx'
import styles from './parts.module.css'

/** Buttons in a row of a table. */
export const rowActions = styles.rowActions

interface LoadedProps<Data, Key extends readonly unknown[]> {
  readonly query: UseQueryOptions<Data, Error, Data, Key>
  readonly rows?: number
  readonly children: (data: Data) => ReactNode
}

export function Loaded<Data, Key extends readonly unknown[]>({ query, rows = 4, children }: LoadedProps<Data, Key>) {
  const { data, error, refetch } = useQuery(query)
  if (data !== undefined) return children(data)
  return error ? <Problem error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={rows} />
}

interface ShownNotice {
  readonly text: string
  readonly tone: Tone
}

const Context = createContext<{ notice: ShownNotice | null; notify: (notice: ShownNotice | null) => void }>({
  notice: null,
  notify: () => {},
})

/** The last success message, shown above the page until the operator navigates. */
export function NewsProvider({ children }: { children: ReactNode }) {
  const [notice, notify] = useState<ShownNotice | null>(null)
  const [location] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message belongs to the page it was shown on.
  useEffect(() => notify(null), [location])
  return <Context value={{ notice, notify }}>{children}</Context>
}

export function News() {
  const { notice } = useContext(Context)
  return (
    // Always rendered, because screen readers announce only changes of existing live regions.
    <div role="status" className={styles.news}>
      {notice && <Notice tone={notice.tone}>{notice.text}</Notice>}
    </div>
  )
}

export function useNotify(): (text: string, tone?: Tone) => void {
  const { notify } = useContext(Context)
  return (text, tone = 'good') => {
    notify({ text, tone })
    scrollTo({ top: 0 })
  }
}

export const ProjectLink = ({ projectId }: { projectId: string }) => (
  <Link href={`/projects/${projectId}`} title={projectId}>
    <code>{shortId(projectId)}</code>
  </Link>
)

export const CallLink = ({ chargeId, className, children }: CallProps) => (
  <Link href={`/charges/${chargeId}`} className={className}>
    {children}
  </Link>
)

/** IDs created at about the same time share a prefix, so the end is shown too. */
export const shortId = (id: string): string => (id.length > 14 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id)

export function OperatorTotpSecret({ uri }: { uri: string }) {
  const { t } = useTranslation()
  const [qrCode, scan, byHand] = [t('operator.secret.qrCode'), t('operator.secret.scan'), t('operator.secret.byHand')]
  return <TotpSecret uri={uri} words={{ qrCode, scan, byHand, uri: t('operator.secret.uri') }} />
}
