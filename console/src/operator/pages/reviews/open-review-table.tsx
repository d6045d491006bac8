import { useTranslation } from 'react-i18next'
import { CopyId } from '../../../design/copy-id.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Checkbox } from '../../../design/field.tsx'
import { Time } from '../../../design/time.tsx'
import { useFormat } from '../../../format/format.ts'
import { useReason } from '../../../format/use-reason.ts'
import type { OpenReview } from '../../api/types.ts'
import { ProjectLink } from '../../parts/project-link.tsx'
import styles from './reviews.module.css'

interface OpenReviewTableProps {
  readonly reviews: readonly OpenReview[]
  readonly chosen: ReadonlySet<string>
  /** Null where nothing may be decided. */
  readonly onChoose: ((chosen: ReadonlySet<string>) => void) | null
}

export function OpenReviewTable({ reviews, chosen, onChoose }: OpenReviewTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const sayReason = useReason()
  const toggle = (chargeId: string) => {
    const next = new Set(chosen)
    if (!next.delete(chargeId)) next.add(chargeId)
    onChoose?.(next)
  }
  const select: Column<OpenReview> = {
    key: 'select',
    title: t('operator.reviews.select'),
    narrow: 'untitled',
    cell: ({ chargeId }) => (
      <Checkbox
        aria-label={t('operator.reviews.selectOne', { id: chargeId })}
        checked={chosen.has(chargeId)}
        onChange={() => toggle(chargeId)}
      />
    ),
  }
  const columns: Column<OpenReview>[] = [
    ...(onChoose ? [select] : []),
    {
      key: 'called',
      title: t('operator.reviews.called'),
      narrow: 'untitled',
      cell: ({ reservedAt }) => (
        <span className={styles.pair}>
          <Time at={reservedAt} />
          <span>{format.ago(reservedAt, Date.now())}</span>
        </span>
      ),
    },
    {
      key: 'operation',
      title: t('operator.reviews.operation'),
      isMain: true,
      cell: ({ operation }) => t(`operations.${operation}`),
    },
    {
      key: 'reason',
      title: t('operator.reviews.reason'),
      isText: true,
      narrow: 'untitled',
      cell: ({ reason }) =>
        reason ? (
          <span className={styles.pair}>
            {sayReason(reason)}
            <code>{reason.code}</code>
          </span>
        ) : (
          t('operator.reviews.noReason')
        ),
    },
    {
      key: 'ids',
      title: t('operator.reviews.ids'),
      narrow: 'untitled',
      cell: ({ projectId, chargeId, requestId }) => (
        <span className={styles.ids}>
          <ProjectLink projectId={projectId} />
          <CopyId id={chargeId} of={t('operator.reviews.charge')} isShort />
          <CopyId id={requestId} of={t('operator.reviews.request')} isShort />
        </span>
      ),
    },
    {
      key: 'credits',
      title: t('operator.reviews.credits'),
      isNumber: true,
      narrow: 'beside',
      cell: ({ credits }) => <strong>{format.number(credits)}</strong>,
    },
  ]
  return (
    <DataTable
      caption={t('operator.reviews.title')}
      columns={columns}
      rows={reviews}
      rowKey={({ chargeId }) => chargeId}
    />
  )
}
