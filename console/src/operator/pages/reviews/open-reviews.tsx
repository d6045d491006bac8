import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../../design/empty.tsx'
import { PageHead } from '../../../design/page-head.tsx'
import { PagedTable } from '../../../design/paged-table.tsx'
import { Sheet } from '../../../design/sheet.tsx'
import { wide } from '../../../design/wide.ts'
import { reviewsQuery } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import type { OpenReview } from '../../api/types.ts'
import { DecideBar, type Undecided, UndecidedNotice } from './decide-bar.tsx'
import { OpenReviewTable } from './open-review-table.tsx'

/** Calls with an uncertain outcome, to be settled or released one by one or several at once. */
export function OpenReviews() {
  const { t } = useTranslation()
  // Kept here, because the list may be empty afterwards.
  const [undecided, setUndecided] = useState<Undecided>([])
  return (
    <div className={wide}>
      <PageHead title={t('operator.reviews.title')} lead={t('operator.reviews.lead')} />
      <UndecidedNotice items={undecided} />
      <Sheet>
        <PagedTable
          query={reviewsQuery}
          empty={<Empty title={t('operator.reviews.none')} hint={t('operator.reviews.noneHint')} />}
        >
          {(reviews) => <Decidable reviews={reviews} onDecided={setUndecided} />}
        </PagedTable>
      </Sheet>
    </div>
  )
}

interface DecidableProps {
  readonly reviews: readonly OpenReview[]
  readonly onDecided: (undecided: Undecided) => void
}

function Decidable({ reviews, onDecided }: DecidableProps) {
  const mayDecide = useMay('reviews')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  // Those that another operator has decided meanwhile are gone.
  const selected = reviews.filter(({ chargeId }) => chosen.has(chargeId))
  return (
    <>
      {mayDecide && (
        <DecideBar
          selected={selected}
          onDone={(undecided) => {
            setChosen(new Set())
            onDecided(undecided)
          }}
        />
      )}
      <OpenReviewTable reviews={reviews} chosen={chosen} onChoose={mayDecide ? setChosen : null} />
    </>
  )
}
