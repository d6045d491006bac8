import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'wouter'
import { isRefused } from '../../api/ask.ts'
import { chargeDetailsQuery } from '../../api/queries.ts'
import { useBackLink } from '../../back-navigation.tsx'
import { Button } from '../../design/button.tsx'
import { Icons } from '../../design/icons.tsx'
import { LoadingRows, Notice, Problem } from '../../design/notice.tsx'
import { PageHead, Sheet } from '../../design/page.tsx'
import { addWords } from '../../i18n/i18n.ts'
import * as words from '../log/words.ts'
import { VerifyButton } from '../proof/verify-button.tsx'
import styles from './charge-details.module.css'
import { ChargeDetailsContent } from './charge-details-content.tsx'

addWords(words)

/** One call with its ledger entries. */
export function ChargeDetailsPage() {
  const { t } = useTranslation()
  const { chargeId = '' } = useParams<{ chargeId: string }>()
  const { data, error, refetch } = useQuery(chargeDetailsQuery(chargeId))
  const wayBack = useBackLink('/usage')
  return (
    <div>
      <p className="not-printed">
        <Link {...wayBack} className={styles.back}>
          <Icons.back size={16} /> {t('chargeDetails.back')}
        </Link>
      </p>
      <PageHead
        title={t('chargeDetails.title')}
        actions={
          data && (
            <>
              <VerifyButton of={{ chargeId }} />
              <Button
                className="not-printed"
                variant="default"
                icon={<Icons.print size={16} />}
                onClick={() => print()}
              >
                {t('chargeDetails.print')}
              </Button>
            </>
          )
        }
      />
      {isRefused(error, 'NOT_FOUND') ? (
        <Notice>{t('chargeDetails.notFound')}</Notice>
      ) : (
        error && <Problem error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && (
        <Sheet>
          <LoadingRows rows={8} />
        </Sheet>
      )}
      {data && <ChargeDetailsContent details={data} />}
    </div>
  )
}
