import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { RefusedCalls as Refusals } from '../../../../src/features/calls/refused-calls/contract.ts'
import { keysQuery, refusalHoursQuery, refusalsQuery } from '../../api/queries.ts'
import { BarTip, ChartLegend, StackedBars, TipHead, TipLine } from '../../design/chart/stacked-bars.tsx'
import { ChipLine, ChipSelect } from '../../design/chip-menu.tsx'
import { CopyId } from '../../design/copy.tsx'
import { type Column, type PagedQuery, PagedTable } from '../../design/data-table.tsx'
import { Time } from '../../design/figures.tsx'
import { Empty, Problem } from '../../design/notice.tsx'
import { clockAt } from '../../format/calendar.ts'
import { keyText, useFormat, useSentence } from '../../format/format.ts'
import { matching } from '../../format/return-path.ts'
import log from '../log/log.module.css'

type RefusedCall = Refusals['items'][number]
type Hour = Refusals['hours'][number]

interface RefusedCallsProps {
  readonly params: URLSearchParams
  readonly onChange: (filters: { keyId?: string; code?: string }) => void
}

/** Calls that were refused without a charge: how many in each hour, and the newest. */
export function RefusedCalls({ params, onChange }: RefusedCallsProps) {
  const { t } = useTranslation()
  const keyId = matching(params, 'keyId', /^key_[A-Za-z0-9]{1,60}$/)
  const code = matching(params, 'code', /^[A-Z_]{1,64}$/)
  const filters = { ...(keyId && { keyId }), ...(code && { code }) }
  const { data: keys } = useQuery(keysQuery)
  const { data, error, refetch } = useQuery({ ...refusalHoursQuery(filters), refetchInterval })
  const known = new Set([...(code ? [code] : []), ...(data?.hours.map((hour) => hour.code) ?? [])])
  const any = { value: '', label: t('usage.allReasons') }
  const set = (name: 'keyId' | 'code') => (value: string) => {
    const { [name]: _, ...others } = filters
    onChange(value === '' ? others : { ...others, [name]: value })
  }
  return (
    <>
      <p className={log.hint}>{t('log.refusedLead')}</p>
      <ChipLine label={t('tables.filters')}>
        <ChipSelect
          label={t('usage.key')}
          value={keyId ?? ''}
          onChange={set('keyId')}
          data={[any, ...(keys?.items ?? []).map((key) => ({ value: key.keyId, label: keyText(key) }))]}
        />
        <ChipSelect
          label={t('usage.reason')}
          value={code ?? ''}
          onChange={set('code')}
          data={[any, ...[...known].map((value) => ({ value, label: value }))]}
        />
      </ChipLine>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data && data.hours.length > 0 && <HourChart hours={data.hours} />}
      <RefusedTable query={{ ...refusalsQuery(filters), refetchInterval }} />
    </>
  )
}

/** As often as the gateway writes them. */
const refetchInterval = 5000

const shownHours = 24
const hourMs = 3_600_000

/** The last day by hour, stacked by code. */
function HourChart({ hours }: { hours: readonly Hour[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const last = Math.floor(Date.now() / hourMs) * hourMs
  const codes = [...new Set(hours.map(({ code }) => code))].sort()
  const colourOf = (code: string) => `var(--part-${(codes.indexOf(code) % 10) + 1})`
  const bars = Array.from({ length: shownHours }, (_, i) => {
    const at = new Date(last - (shownHours - 1 - i) * hourMs)
    const counted = hours.filter(({ hour }) => Date.parse(hour) === at.getTime())
    const count = counted.reduce((sum, hour) => sum + hour.count, 0)
    return { at: at.toISOString(), counted, count }
  })
  const nameOf = ({ at, count }: (typeof bars)[number]) =>
    `${format.shortTime(at).slice(0, -3)}: ${t('log.refusedCount', { count, amount: format.number(count) })}`
  return (
    <div>
      <StackedBars
        label={t('log.refusedHours')}
        bars={bars.map((bar) => ({
          key: bar.at,
          label: nameOf(bar),
          parts: bar.counted.map(({ code, count }) => ({ key: code, value: count, colour: colourOf(code) })),
        }))}
        ticks={new Map([0, 6, 12, 18].map((i) => [i, clockAt(Date.parse(bars[i]!.at)).slice(0, 5)]))}
        placeOf={(key) => bars.findIndex(({ at }) => at === key)}
        tip={(i, place) => (
          <BarTip place={place}>
            <TipHead>{nameOf(bars[i]!)}</TipHead>
            <ul>
              {bars[i]!.counted.map(({ code, count }) => (
                <TipLine key={code} name={code} value={format.number(count)} colour={colourOf(code)} />
              ))}
            </ul>
          </BarTip>
        )}
      />
      <ChartLegend names={codes.map((code) => ({ name: code, colour: colourOf(code) }))} />
    </div>
  )
}

function RefusedTable({ query }: { query: PagedQuery<RefusedCall> }) {
  const { t } = useTranslation()
  const sentence = useSentence()
  const { data: keys } = useQuery(keysQuery)
  const keyOf = (id: string) => keys?.items.find(({ keyId }) => keyId === id)
  const columns: Column<RefusedCall>[] = [
    { key: 'time', title: t('usage.time'), narrow: 'untitled', cell: ({ at }) => <Time at={at} /> },
    {
      key: 'operation',
      title: t('usage.operation'),
      isMain: true,
      cell: ({ operation }) => (
        <span title={operation}>{t(`operations.${operation as 'model.chat'}`, { defaultValue: operation })}</span>
      ),
    },
    {
      key: 'code',
      title: t('log.error'),
      narrow: 'untitled',
      cell: ({ code }) => <CopyId id={code} of={t('log.error')} hint={`${code}: ${sentence(code)}`} isCut />,
    },
    {
      key: 'key',
      title: t('usage.key'),
      narrow: 'untitled',
      cell: ({ keyId }) => {
        const key = keyOf(keyId)
        return key ? (
          <span className={log.key} title={keyText(key)}>
            {key.name ? <bdi>{key.name}</bdi> : <code>{key.displayPrefix}</code>}
          </span>
        ) : (
          <CopyId id={keyId} of={t('usage.key')} isShort />
        )
      },
    },
    {
      key: 'request',
      title: t('log.requestId'),
      narrow: 'omitted',
      cell: ({ requestId }) => <CopyId id={requestId} of={t('log.requestId')} isShort />,
    },
  ]
  return (
    <div className={log.log}>
      <PagedTable
        query={query}
        caption={t('log.refused')}
        columns={columns}
        rowKey={({ requestId }) => requestId}
        empty={<Empty title={t('log.refusedNone')} />}
      />
    </div>
  )
}
