import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { latestEventsQuery, markEventsRead } from '../../api/queries.ts'
import type { EventType, GatewayEvent } from '../../api/types.ts'
import { Mark, useCreditsText } from '../../design/figures.tsx'
import type { Tone } from '../../design/notice.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './events.module.css'

/** Describes an event in a sentence. */
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

/** The page that shows the event's subject. */
function placeOf(event: GatewayEvent): string {
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

/** Events that need attention stand out. */
const toneOf = (type: EventType): Tone => tones[type] ?? 'plain'

const tones: Partial<Record<EventType, Tone>> = {
  'order.credited': 'good',
  'credits.granted': 'good',
  'credits.low': 'wait',
  'credits.empty': 'bad',
  'key.expiring': 'wait',
  'key.budget_reached': 'wait',
  'charge.review_opened': 'wait',
}

/** The type of an event as a link to its subject. */
export function EventName({ event, isNew }: { event: GatewayEvent; isNew: boolean }) {
  const { t } = useTranslation()
  return (
    <span className={styles.name}>
      <Link href={placeOf(event)} className={styles.link} data-tone={toneOf(event.type)}>
        {t(`events.types.${event.type}`)}
      </Link>
      {isNew && <Mark tone="good">{t('events.isNew')}</Mark>}
    </span>
  )
}

/** Event types by subject. */
export const eventGroups = {
  money: ['credits.low', 'credits.empty', 'order.credited', 'credits.granted', 'credits.withdrawn'],
  reviews: ['charge.review_opened', 'charge.review_decided', 'media.job_finished'],
  keys: ['key.created', 'key.rotated', 'key.revoked', 'key.expiring', 'key.budget_reached'],
  account: ['account.signed_in', 'account.password_changed'],
} as const satisfies Record<string, readonly EventType[]>

type GroupedType = (typeof eventGroups)[keyof typeof eventGroups][number]

export const groupNames = Object.keys(eventGroups) as (keyof typeof eventGroups)[]

/** Fails to compile if an event type is in no group. */
export const groupedTypes: readonly (EventType extends GroupedType ? GroupedType : never)[] =
  Object.values(eventGroups).flat()

/** Marks shown events as read and remembers which were new. */
export function useNewEvents(): ReadonlySet<string> {
  const { data } = useQuery(latestEventsQuery)
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const unread = data?.unread ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: refetching does not change the events.
  useEffect(() => {
    if (unread === 0) return
    setIds((before) => new Set([...before, ...data!.items.slice(0, unread).map(({ id }) => id)]))
    // On failure they stay unread until the next visit.
    markEventsRead().catch(() => {})
  }, [unread, data?.items[0]?.id])
  return ids
}
