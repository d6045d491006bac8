import { useTranslation } from 'react-i18next'
import type { EventType, GatewayEvent } from '../../api/types.ts'
import { useCreditsText } from '../../design/amount.tsx'
import type { Tone } from '../../design/notice.tsx'
import { useFormat } from '../../format/format.ts'

/** Says in a sentence what an event tells. */
export function useEventText(): (event: GatewayEvent) => string {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  return (event) => {
    switch (event.type) {
      case 'order.credited':
      case 'credits.granted':
      case 'credits.withdrawn':
      case 'credits.empty':
        return t(`events.details.${event.type}`, {
          credits: creditsText(event.data.credits),
          available: creditsText(event.data.available),
        })
      case 'credits.low':
        return t('events.details.credits.low', {
          available: creditsText(event.data.available),
          threshold: creditsText(event.data.lowBalanceCredits),
        })
      case 'key.created':
        return t('events.details.key.created', { key: event.data.displayPrefix })
      case 'key.rotated':
        return t('events.details.key.rotated', {
          key: event.data.displayPrefix,
          time: format.dateTime(event.data.oldKeyExpiresAt),
        })
      case 'key.revoked':
        return t(`events.revoked.${event.data.by}`, { key: event.data.displayPrefix })
      case 'key.expiring':
        return t('events.details.key.expiring', {
          key: event.data.displayPrefix,
          time: format.dateTime(event.data.expiresAt),
        })
      case 'key.budget_reached':
        return t(`events.budget.${event.data.per}`, { credits: creditsText(event.data.credits) })
      case 'charge.review_opened':
        return t('events.details.charge.review_opened', {
          operation: t(`operations.${event.data.operation}`),
          credits: creditsText(event.data.credits),
        })
      case 'charge.review_decided':
        return t(`events.decided.${event.data.decision}`, {
          operation: t(`operations.${event.data.operation}`),
          credits: creditsText(event.data.credits),
        })
      case 'media.job_finished':
        return t(`events.jobs.${event.data.status}`)
      case 'account.signed_in':
        return t(`events.signedIn.${event.data.isNewNetwork ? 'new' : 'known'}`)
      case 'account.password_changed':
        return t(`events.passwordBy.${event.data.by}`)
    }
  }
}

/** Where that can be seen. */
export function placeOf(event: GatewayEvent): string {
  switch (event.type) {
    case 'order.credited':
    case 'credits.low':
    case 'credits.empty':
      return '/recharge'
    case 'credits.granted':
    case 'credits.withdrawn':
      return '/ledger'
    case 'charge.review_opened':
    case 'charge.review_decided':
      return `/usage/${event.data.chargeId}`
    case 'key.budget_reached':
      return `/usage?keyId=${event.data.keyId}`
    case 'media.job_finished':
      return '/media'
    case 'account.signed_in':
    case 'account.password_changed':
      return '/account'
    default:
      return '/keys'
  }
}

/** What asks for the payer's attention stands out. */
export const toneOf = (type: EventType): Tone => tones[type] ?? 'plain'

const tones: Partial<Record<EventType, Tone>> = {
  'order.credited': 'good',
  'credits.granted': 'good',
  'credits.low': 'wait',
  'credits.empty': 'bad',
  'key.expiring': 'wait',
  'key.budget_reached': 'wait',
  'charge.review_opened': 'wait',
}
