import { useTranslation } from 'react-i18next'
import type { ChargeDetails } from '../../api/types.ts'
import { ChargeTimes, useChargeFacts } from '../../design/charge-details.tsx'
import { Amount, ChargeMark, Facts } from '../../design/figures.tsx'
import { Sheet } from '../../design/page.tsx'
import { EntryTable } from '../../design/tables.tsx'
import { useFormat } from '../../format/format.ts'
import { CallContent } from '../log/call-content.tsx'
import styles from './charge-details.module.css'

/** The details of a call: on a page of its own, or in the drawer of the list. */
export function ChargeDetailsContent({ details }: { details: ChargeDetails }) {
  const { t } = useTranslation()
  const format = useFormat()
  const facts = useChargeFacts(details)
  const { state, operation, chargedCredits, model, latencyMs, reason } = details
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
            ...facts,
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
