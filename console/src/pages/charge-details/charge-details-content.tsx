import { useTranslation } from 'react-i18next'
import type { ChargeDetails } from '../../api/types.ts'
import { CopyId } from '../../design/copy.tsx'
import { Amount, ChargeMark, Facts, KeyLabel } from '../../design/figures.tsx'
import { Sheet } from '../../design/page.tsx'
import { type Step, Steps } from '../../design/steps.tsx'
import { EntryTable } from '../../design/tables.tsx'
import { useFormat, useReason } from '../../format/format.ts'
import { CallContent } from '../log/call-content.tsx'
import styles from './charge-details.module.css'

/** The details of a call: on a page of its own, or in the drawer of the list. */
export function ChargeDetailsContent({ details }: { details: ChargeDetails }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { state, operation, usage, chargedCredits, model, latencyMs, reason, upstreamCode } = details
  const isHeld = state === 'reserved' || state === 'manual_review'
  return (
    <>
      <Sheet>
        <p className={styles.paid}>
          <span>
            {t(
              state === 'settled' ? 'chargeDetails.paid' : isHeld ? 'chargeDetails.stillHeld' : 'chargeDetails.notPaid',
            )}
          </span>
          <span className={styles.sum} data-state={state}>
            <Amount credits={isHeld ? details.credits : chargedCredits} size="xl" />
            <span className={styles.worth}>{format.yuanOfCredits(isHeld ? details.credits : chargedCredits)}</span>
          </span>
        </p>
        <Facts
          facts={[
            [
              t('chargeDetails.operation'),
              <>
                {t(`operations.${operation}`)} <code className={styles.dim}>{operation}</code>
              </>,
            ],
            [t('usage.state'), <ChargeMark key="state" state={state} />],
            model !== null && [t('log.model'), <code key="model">{model}</code>],
            latencyMs !== null && [t('log.latency'), format.duration(latencyMs)],
            reason && [t('log.error'), <code key="error">{reason.code}</code>],
            upstreamCode !== null && [t('chargeDetails.upstreamCode'), <code key="upstream">{upstreamCode}</code>],
            [
              t('chargeDetails.price'),
              `${format.number(details.credits)} ${t('common.credits')} · ${format.yuanOfFen(details.amountFen)}`,
            ],
            [t('chargeDetails.priceVersion'), <code key="version">{details.pricingVersion}</code>],
            [t('chargeDetails.charge'), <CopyId key="charge" id={details.chargeId} of={t('chargeDetails.charge')} />],
            [
              t('chargeDetails.request'),
              <CopyId key="request" id={details.requestId} of={t('chargeDetails.request')} />,
            ],
            [t('chargeDetails.key'), <KeyLabel key="key" name={details.keyName} prefix={details.keyDisplayPrefix} />],
            usage &&
              Object.keys(usage).length > 0 && [
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
              ],
          ]}
        />
      </Sheet>
      <CallContent details={details} />
      <Sheet title={t('chargeDetails.times')}>
        <ChargeTimes details={details} />
      </Sheet>
      <Sheet title={t('chargeDetails.entries')}>
        <EntryTable entries={details.entries} isOfOneCall />
      </Sheet>
    </>
  )
}

/** The timeline of a charge. */
function ChargeTimes({ details }: { details: ChargeDetails }) {
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
  const because = reason ? `${t('chargeDetails.reason')}: ${sayReason(reason)}` : ''
  const decided = decision ? `${t('chargeDetails.decided')}: ${decision.reason}` : ''
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
