import { useTranslation } from 'react-i18next'
import type { Receipt } from '../../api/types.ts'
import { type Step, Steps } from '../../design/steps.tsx'
import { useFormat } from '../../format/format.ts'
import { useReason } from '../../format/use-reason.ts'

/** When the price was reserved, and how that ended. */
export function ReceiptTimes({ receipt }: { receipt: Receipt }) {
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
