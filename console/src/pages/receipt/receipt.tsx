import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'wouter'
import { isRefused } from '../../api/ask.ts'
import { receiptQuery } from '../../api/queries.ts'
import { useBackLink } from '../../back-navigation.tsx'
import { Button } from '../../design/button.tsx'
import { Icons } from '../../design/icons.tsx'
import { LoadingRows, Notice, Problem } from '../../design/notice.tsx'
import { PageHead, Sheet } from '../../design/page.tsx'
import { VerifyButton } from '../proof/verify-button.tsx'
import styles from './receipt.module.css'
import { ReceiptContent } from './receipt-content.tsx'

/** One call with its ledger entries. */
export function Receipt() {
  const { t } = useTranslation()
  const { chargeId = '' } = useParams<{ chargeId: string }>()
  const { data, error, refetch } = useQuery(receiptQuery(chargeId))
  const wayBack = useBackLink('/usage')
  return (
    <div>
      <p className="not-printed">
        <Link {...wayBack} className={styles.back}>
          <Icons.back size={16} /> {t('receipt.back')}
        </Link>
      </p>
      <PageHead
        title={t('receipt.title')}
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
                {t('receipt.print')}
              </Button>
            </>
          )
        }
      />
      {isRefused(error, 'NOT_FOUND') ? (
        <Notice>{t('receipt.notFound')}</Notice>
      ) : (
        error && <Problem error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && (
        <Sheet>
          <LoadingRows rows={8} />
        </Sheet>
      )}
      {data && <ReceiptContent receipt={data} />}
    </div>
  )
}
