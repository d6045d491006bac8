import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { eventGroups } from '../../../../src/contract/event-row.ts'
import { keysQuery, latestEventsQuery, markEventsRead } from '../../api/queries.ts'
import type { ChargedOperation, EventType, GatewayEvent } from '../../api/types.ts'
import { Mark, useCreditsText } from '../../design/figures.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './events.module.css'
import { eventRows } from './rows.ts'

export function useEventText(): (event: GatewayEvent) => string {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  /** Amounts, times and operations are recognized by the names of their fields. */
  function show(name: string, value: unknown, data: GatewayEvent['data']): string {
    if (/(^available|credits)$/i.test(name)) return creditsText(value as number)
    if (/^(paid|refunded)Fen$/.test(name) && 'paidCurrency' in data)
      return format.money(value as number, data.paidCurrency ?? 'CNY')
    if (name.endsWith('Fen')) return format.yuanOfFen(value as number)
    if (name.endsWith('At') && value !== null) return format.dateTime(value as string)
    return name === 'operation' ? t(`operations.${value as ChargedOperation}`) : String(value)
  }
  const { data: keys } = useQuery(keysQuery)
  /** The current name of the key, or its prefix. */
  function keyOf(data: GatewayEvent['data']): Record<string, string> {
    if (!('keyId' in data)) return {}
    const key = keys?.items.find(({ keyId }) => keyId === data.keyId)
    const shown = key?.name ?? ('name' in data ? data.name : undefined) ?? key?.displayPrefix
    return shown === undefined ? {} : { keyId: shown, displayPrefix: shown }
  }
  return ({ type, data }) => {
    const { by } = eventRows[type]
    const values: Record<string, string> = {
      ...Object.fromEntries(Object.entries(data).map(([name, value]) => [name, show(name, value, data)])),
      ...keyOf(data),
    }
    const key = `events.details.${type}${by === undefined ? '' : `:${values[by]}`}`
    // No type can list these keys: they come from the table of the contract.
    return t(key as 'events.title', { replace: values })
  }
}

const placeOf = ({ type, data }: GatewayEvent): string =>
  eventRows[type].page.replace(/\{(\w+)\}/, (_, name) => (data as Readonly<Record<string, string>>)[name]!)

/** The type of an event as a link to its subject. */
export function EventName({ event, isNew }: { event: GatewayEvent; isNew: boolean }) {
  const { t } = useTranslation()
  return (
    <span className={styles.name}>
      <Link href={placeOf(event)} className={styles.link} data-tone={eventRows[event.type].tone ?? 'plain'}>
        {t(`events.types.${event.type}`)}
      </Link>
      {isNew && <Mark tone="good">{t('events.isNew')}</Mark>}
    </span>
  )
}

export const eventTypes = Object.keys(eventRows) as EventType[]

export const typesIn = (group: (typeof eventGroups)[number]): EventType[] =>
  eventTypes.filter((type) => eventRows[type].group === group)

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
