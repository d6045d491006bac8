import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { reviewsQuery } from '../../api/queries.ts'
import type { Review } from '../../api/types.ts'
import { Amount } from '../../design/amount.tsx'
import { Empty } from '../../design/empty.tsx'
import { Facts } from '../../design/facts.tsx'
import { PageHead } from '../../design/page-head.tsx'
import { PagedTable } from '../../design/paged-table.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { useFormat } from '../../format/format.ts'
import { useReason } from '../../format/use-reason.ts'
import styles from './reviews.module.css'

/** Calls whose outcome is not known, and what happens to them: the payer is never left guessing. */
export function Reviews() {
  const { t } = useTranslation()
  return (
    <div>
      <PageHead title={t('reviews.title')} lead={t('reviews.lead')} />
      <PagedTable
        query={reviewsQuery}
        caption={t('reviews.title')}
        columns={[]}
        rowKey={({ chargeId }) => chargeId}
        empty={
          <Sheet>
            <Empty title={t('reviews.none')} hint={t('reviews.noneHint')} />
          </Sheet>
        }
      >
        {(reviews) => (
          <ul className={styles.reviews}>
            {reviews.map((review) => (
              <li key={review.chargeId}>
                <OpenReview review={review} />
              </li>
            ))}
          </ul>
        )}
      </PagedTable>
      <Sheet title={t('reviews.nextTitle')}>
        <ol className={styles.next}>
          <li>{t('reviews.next1')}</li>
          <li>{t('reviews.next2')}</li>
          <li>{t('reviews.next3')}</li>
        </ol>
        <p className={styles.quote}>{t('reviews.quote')}</p>
      </Sheet>
    </div>
  )
}

function OpenReview({ review }: { review: Review }) {
  const { t } = useTranslation()
  const format = useFormat()
  const sayReason = useReason()
  return (
    <Sheet
      title={t(`operations.${review.operation}`)}
      actions={
        <span className={styles.held}>
          {t('reviews.held')} <Amount credits={review.credits} />
        </span>
      }
    >
      <Facts
        facts={[
          [t('reviews.since'), `${format.dateTime(review.since)} (${format.ago(review.since, Date.now())})`],
          review.reason && [t('reviews.reason'), sayReason(review.reason)],
          [
            t('reviews.charge'),
            <Link key="charge" href={`/usage/${review.chargeId}`}>
              <code>{review.chargeId}</code>
            </Link>,
          ],
          [t('reviews.key'), <code key="key">{review.keyDisplayPrefix}</code>],
        ]}
      />
    </Sheet>
  )
}
