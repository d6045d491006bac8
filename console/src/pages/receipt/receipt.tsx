import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'wouter'
import { isRefused } from '../../api/ask.ts'
import { receiptQuery } from '../../api/queries.ts'
import type { Receipt as ReceiptData } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { CopyId } from '../../design/copy.tsx'
import { Amount, ChargeMark, Facts, KeyLabel } from '../../design/figures.tsx'
import { Icons } from '../../design/icons.tsx'
import { LoadingRows, Notice, Problem } from '../../design/notice.tsx'
import { PageHead, Sheet } from '../../design/page.tsx'
import { type Step, Steps } from '../../design/steps.tsx'
import { EntryTable } from '../../design/tables.tsx'
import { useFormat, useReason } from '../../format/format.ts'
import { useWayBack } from '../../way-back.tsx'
import { VerifyButton } from '../proof/verify-button.tsx'
import styles from './receipt.module.css'

/** One call with its ledger entries. */
export function Receipt() {
  const { t } = useTranslation()
  const { chargeId = '' } = useParams<{ chargeId: string }>()
  const { data, error, refetch } = useQuery(receiptQuery(chargeId))
  const wayBack = useWayBack('/usage')
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
      {data && <ReceiptBody receipt={data} />}
    </div>
  )
}

function ReceiptBody({ receipt }: { receipt: ReceiptData }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { state, operation, usage, chargedCredits } = receipt
  const isHeld = state === 'reserved' || state === 'manual_review'
  return (
    <>
      <Sheet>
        <p className={styles.paid}>
          <span>{t(state === 'settled' ? 'receipt.paid' : isHeld ? 'receipt.stillHeld' : 'receipt.notPaid')}</span>
          <span className={styles.sum} data-state={state}>
            <Amount credits={isHeld ? receipt.credits : chargedCredits} size="xl" />
            <span className={styles.worth}>{format.yuanOfCredits(isHeld ? receipt.credits : chargedCredits)}</span>
          </span>
        </p>
        <Facts
          facts={[
            [
              t('receipt.operation'),
              <>
                {t(`operations.${operation}`)} <code className={styles.dim}>{operation}</code>
              </>,
            ],
            [t('usage.state'), <ChargeMark key="state" state={state} />],
            [
              t('receipt.price'),
              `${format.number(receipt.credits)} ${t('common.credits')} · ${format.yuanOfFen(receipt.amountFen)}`,
            ],
            [t('receipt.priceVersion'), <code key="version">{receipt.pricingVersion}</code>],
            [t('receipt.charge'), <CopyId key="charge" id={receipt.chargeId} of={t('receipt.charge')} />],
            [t('receipt.request'), <CopyId key="request" id={receipt.requestId} of={t('receipt.request')} />],
            [t('receipt.key'), <KeyLabel key="key" name={receipt.keyName} prefix={receipt.keyDisplayPrefix} />],
            usage &&
              Object.keys(usage).length > 0 && [
                t('receipt.metered'),
                <>
                  {Object.entries(usage)
                    .map(
                      ([unit, count]) =>
                        `${t(`receipt.units.${unit as 'inputUnits'}`, { defaultValue: unit })} ${format.number(count)}`,
                    )
                    .join(' · ')}
                  <span className={styles.dim}> {t('receipt.unitsHint')}</span>
                </>,
              ],
          ]}
        />
      </Sheet>
      <Sheet title={t('receipt.times')}>
        <ReceiptTimes receipt={receipt} />
      </Sheet>
      <Sheet title={t('receipt.entries')}>
        <EntryTable entries={receipt.entries} isOfOneCall />
      </Sheet>
    </>
  )
}

/** The timeline of a charge. */
function ReceiptTimes({ receipt }: { receipt: ReceiptData }) {
  const { t } = useTranslation()
  const format = useFormat()
  const sayReason = useReason()
  const { reservedAt, reviewedAt, settledAt, releasedAt, decision, reason } = receipt

  const step = (key: 'reserved' | 'reviewed' | 'settled' | 'released', at: string, hint: string): Step => ({
    key,
    title: t(`receipt.${key}`),
    time: (
      <>
        <span>{format.exactTime(at)}</span>{' '}
        {key !== 'reserved' && <span>{t('receipt.after', { time: format.took(reservedAt, at) })}</span>}
      </>
    ),
    hint,
    state: key === 'reviewed' && !decision ? 'wait' : 'done',
  })
  const because = reason ? `${t('receipt.reason')}: ${sayReason(reason)}` : ''
  const decided = decision ? `${t('receipt.decided')}: ${decision.reason}` : ''
  const steps = [
    step('reserved', reservedAt, t('receipt.reservedHint')),
    reviewedAt && step('reviewed', reviewedAt, [t('receipt.reviewedHint'), because].filter(Boolean).join(' ')),
    settledAt && step('settled', settledAt, decided || t('receipt.settledHint')),
    releasedAt &&
      step('released', releasedAt, [decided || because, t('receipt.releasedHint')].filter(Boolean).join(' ')),
    receipt.state === 'reserved' && {
      key: 'under-way',
      title: t('receipt.underWay'),
      state: 'now' as const,
    },
  ]
  return <Steps steps={steps.filter((present) => typeof present === 'object' && present !== null)} />
}
