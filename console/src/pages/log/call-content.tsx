import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallContents } from '../../../../src/features/calls/content-log/contract.ts'
import { contentQuery } from '../../api/queries.ts'
import type { ChargeDetails } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { Copy } from '../../design/copy.tsx'
import { LoadingRows, Problem } from '../../design/notice.tsx'
import { Sheet } from '../../design/page.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './log.module.css'

/** The request and the response of a call. Not printed, and read only when they are asked for. */
export function CallContent({ details: { chargeId, hasContent } }: { details: ChargeDetails }) {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  if (!hasContent) return null
  return (
    <Sheet
      title={t('log.content')}
      className="not-printed"
      actions={
        !isShown && (
          <Button variant="default" size="compact-sm" onClick={() => setShown(true)}>
            {t('log.show')}
          </Button>
        )
      }
    >
      {isShown && <Shown chargeId={chargeId} />}
    </Sheet>
  )
}

function Shown({ chargeId }: { chargeId: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { data, error, refetch } = useQuery(contentQuery(chargeId))
  if (error) return <Problem error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <LoadingRows rows={3} />
  if (data === null) return <p>{t('log.contentGone')}</p>
  return (
    <div className={styles.content}>
      <p className={styles.hint}>{t('log.contentUntil', { time: format.dateTime(data.keptUntil) })}</p>
      <Kept title={t('log.request')} kept={data.request} />
      <Kept title={t('log.response', { status: data.status })} kept={data.response} />
    </div>
  )
}

function Kept({ title, kept: { text, bytes, isCut } }: { title: string; kept: CallContents['request'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const shown = new TextEncoder().encode(text).length
  return (
    <section className={styles.kept} aria-label={title}>
      <div className={styles.keptHead}>
        <h3>{title}</h3>
        <Copy text={text} of={title} />
      </div>
      {isCut && (
        <p className={styles.hint}>{t('log.cut', { shown: format.number(shown), bytes: format.number(bytes) })}</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must scroll by keyboard too. */}
      <pre tabIndex={0}>{indented(text)}</pre>
    </section>
  )
}

/** JSON with indentation; a cut text stays as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
