import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { overviewQuery, reviewsQuery } from '../../api/queries.ts'
import type { Review } from '../../api/types.ts'
import { useHere } from '../../back-navigation.tsx'
import { CopyId } from '../../design/copy.tsx'
import { type Column, DataTable, PagedTable } from '../../design/data-table.tsx'
import { Time, useCreditsText } from '../../design/figures.tsx'
import { Empty } from '../../design/notice.tsx'
import { PageHead, Sheet, wide } from '../../design/page.tsx'
import { useFormat, useReason } from '../../format/format.ts'
import styles from './reviews.module.css'

export function Reviews() {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const { data } = useQuery(overviewQuery)
  const held = data?.held.find(({ state }) => state === 'manual_review')
  return (
    <div className={wide}>
      <PageHead title={t('reviews.title')} lead={t('reviews.lead')} />
      {held?.charges !== 0 && <WhatHappensNext />}
      <Sheet
        title={
          held &&
          held.charges > 0 &&
          t('reviews.waiting', {
            count: held.charges,
            amount: format.number(held.charges),
            credits: creditsText(held.credits),
          })
        }
      >
        <PagedTable query={reviewsQuery} empty={<Empty title={t('reviews.none')} hint={t('reviews.noneHint')} />}>
          {(reviews, isWhole) => <ReviewTable reviews={reviews} isWhole={isWhole} />}
        </PagedTable>
      </Sheet>
    </div>
  )
}

function WhatHappensNext() {
  const { t } = useTranslation()
  return (
    <Sheet title={t('reviews.nextTitle')}>
      <ol className={styles.next}>
        <li>{t('reviews.next1')}</li>
        <li>{t('reviews.next2')}</li>
        <li>{t('reviews.next3')}</li>
      </ol>
      <p className={styles.quote}>{t('reviews.quote')}</p>
    </Sheet>
  )
}

interface ReviewTableProps {
  readonly reviews: readonly Review[]
  /** Sortable only once all rows are loaded. */
  readonly isWhole: boolean
}

function ReviewTable({ reviews, isWhole }: ReviewTableProps) {
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
      narrow: 'inline',
      cell: ({ credits }) => <span className={styles.held}>{format.number(credits)}</span>,
      ...(isWhole && { sortBy: ({ credits }) => credits }),
    },
  ]
  return <DataTable caption={t('reviews.title')} columns={columns} rows={reviews} rowKey={({ chargeId }) => chargeId} />
}
