import { useTranslation } from 'react-i18next'
import type { ChargeDetails } from '../../api/types.ts'
import { CopyId } from '../../design/copy.tsx'
import { Amount, ChargeMark, Facts, KeyLabel } from '../../design/figures.tsx'
import { Sheet } from '../../design/page.tsx'
import { type Step, Steps } from '../../design/steps.tsx'
import { EntryTable } from '../../design/tables.tsx'
import { useFormat, useReason } from '../../format/format.ts'
import { CallContent } from '../log/call-content.tsx'
import styles from './receipt.module.css'

/** The details of a call: on a page of its own, or in the drawer of the list. */
export function ReceiptContent({ receipt }: { receipt: ChargeDetails }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { state, operation, usage, chargedCredits, model, latencyMs, reason } = receipt
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
            model !== null && [t('log.model'), <code key="model">{model}</code>],
            latencyMs !== null && [t('log.latency'), format.duration(latencyMs)],
            reason && [t('log.error'), <code key="error">{reason.code}</code>],
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
      <CallContent receipt={receipt} />
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
function ReceiptTimes({ receipt }: { receipt: ChargeDetails }) {
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
