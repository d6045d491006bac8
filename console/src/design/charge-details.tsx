import { useTranslation } from 'react-i18next'
import type { ChargeDetails } from '../api/types.ts'
import { useFormat, useReason } from '../format/format.ts'
import styles from './charge-details.module.css'
import { CopyId } from './copy.tsx'
import { type Fact, KeyLabel } from './figures.tsx'
import { type Step, Steps } from './steps.tsx'

/** What payers and operators both see of a charge. */
type Details = Omit<ChargeDetails, 'hasContent' | 'decision'> & {
  readonly decision: { readonly reason: string } | null
}

/** The provider's own code, the price, the ids and the usage. */
export function useChargeFacts(details: Details): readonly (Fact | null)[] {
  const { t } = useTranslation()
  const format = useFormat()
  const { usage, chargeId, requestId, upstreamCode } = details
  return [
    upstreamCode === null ? null : [t('chargeDetails.upstreamCode'), <code key="upstream">{upstreamCode}</code>],
    [
      t('chargeDetails.price'),
      `${format.number(details.credits)} ${t('common.credits')} · ${format.yuanOfFen(details.amountFen)}`,
    ],
    [t('chargeDetails.priceVersion'), <code key="version">{details.pricingVersion}</code>],
    [t('chargeDetails.charge'), <CopyId key="charge" id={chargeId} of={t('chargeDetails.charge')} />],
    [t('chargeDetails.request'), <CopyId key="request" id={requestId} of={t('chargeDetails.request')} />],
    [t('chargeDetails.key'), <KeyLabel key="key" name={details.keyName} prefix={details.keyDisplayPrefix} />],
    usage && Object.keys(usage).length > 0
      ? [
          t('chargeDetails.metered'),
          <>
            {Object.entries(usage)
              .map(
                ([unit, count]) =>
                  `${t(`chargeDetails.units.${unit as 'inputUnits'}`, { defaultValue: unit })} ${format.number(count)}`,
              )
              .join(' · ')}
            <span className={styles.dim}> {t('chargeDetails.unitsHint')}</span>
          </>,
        ]
      : null,
  ]
}

/** The timeline of a charge. */
export function ChargeTimes({ details }: { details: Details }) {
  const { t } = useTranslation()
  const format = useFormat()
  const sayReason = useReason()
  const { reservedAt, reviewedAt, settledAt, releasedAt, decision, reason } = details

  const step = (key: 'reserved' | 'reviewed' | 'settled' | 'released', at: string, hint: string): Step => ({
    key,
    title: t(`chargeDetails.${key}`),
    time: (
      <>
        <span>{format.exactTime(at)}</span>{' '}
        {key !== 'reserved' && <span>{t('chargeDetails.after', { time: format.took(reservedAt, at) })}</span>}
      </>
    ),
    hint,
    state: key === 'reviewed' && !decision ? 'wait' : 'done',
  })
  const because = reason ? t('chargeDetails.because', { reason: sayReason(reason) }) : ''
  const decided = decision ? t('chargeDetails.decided', { reason: decision.reason }) : ''
  const steps = [
    step('reserved', reservedAt, t('chargeDetails.reservedHint')),
    reviewedAt && step('reviewed', reviewedAt, [t('chargeDetails.reviewedHint'), because].filter(Boolean).join(' ')),
    settledAt && step('settled', settledAt, decided || t('chargeDetails.settledHint')),
    releasedAt &&
      step('released', releasedAt, [decided || because, t('chargeDetails.releasedHint')].filter(Boolean).join(' ')),
    details.state === 'reserved' && {
      key: 'under-way',
      title: t('chargeDetails.underWay'),
      state: 'now' as const,
    },
  ]
  return <Steps steps={steps.filter((present) => typeof present === 'object' && present !== null)} />
}
