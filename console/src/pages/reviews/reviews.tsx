import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { overviewQuery, reviewsQuery } from '../../api/queries.ts'
import { useCreditsText } from '../../design/amount.tsx'
import { Empty } from '../../design/empty.tsx'
import { PageHead } from '../../design/page-head.tsx'
import { PagedTable } from '../../design/paged-table.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { wide } from '../../design/wide.ts'
import { useFormat } from '../../format/format.ts'
import { ReviewTable } from './review-table.tsx'
import styles from './reviews.module.css'

/** Calls whose outcome is not known, and what happens to them: the payer is never left guessing. */
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
