import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Review } from '../../api/types.ts'
import { CopyId } from '../../design/copy-id.tsx'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { Time } from '../../design/time.tsx'
import { useFormat } from '../../format/format.ts'
import { useReason } from '../../format/use-reason.ts'
import { useHere } from '../../way-back.ts'
import styles from './review-table.module.css'

interface ReviewTableProps {
  readonly reviews: readonly Review[]
  /** There are no others, so that sorting shows what it promises. */
  readonly isWhole: boolean
}

export function ReviewTable({ reviews, isWhole }: ReviewTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const sayReason = useReason()
  const here = useHere()
  const columns: Column<Review>[] = [
    {
      key: 'since',
      title: t('reviews.since'),
      narrow: 'untitled',
      cell: ({ since }) => (
        <span>
          <Time at={since} /> <span className={styles.ago}>{format.ago(since, Date.now())}</span>
        </span>
      ),
      ...(isWhole && { sortBy: ({ since }) => since }),
    },
    {
      key: 'operation',
      title: t('reviews.operation'),
      isMain: true,
      cell: ({ operation, chargeId }) => (
        <Link href={`/usage/${chargeId}`} state={here} className={styles.operation}>
          {t(`operations.${operation}`)}
        </Link>
      ),
    },
    {
      key: 'reason',
      title: t('reviews.reason'),
      isText: true,
      narrow: 'untitled',
      cell: ({ reason }) => reason && sayReason(reason),
    },
    {
      key: 'charge',
      title: t('reviews.charge'),
      cell: ({ chargeId }) => <CopyId id={chargeId} of={t('reviews.charge')} isShort />,
    },
    {
      key: 'credits',
      title: t('reviews.held'),
      isNumber: true,
      narrow: 'beside',
      cell: ({ credits }) => <span className={styles.held}>{format.number(credits)}</span>,
      ...(isWhole && { sortBy: ({ credits }) => credits }),
    },
  ]
  return <DataTable caption={t('reviews.title')} columns={columns} rows={reviews} rowKey={({ chargeId }) => chargeId} />
}
