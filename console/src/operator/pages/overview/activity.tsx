import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  BarTip,
  ChartLegend,
  StackedBars,
  TipHead,
  TipLine,
  useChartWidth,
} from '../../../design/chart/stacked-bars.tsx'
import { Segments } from '../../../design/choices.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Figure, Figures, useCreditsText } from '../../../design/figures.tsx'
import { Empty } from '../../../design/notice.tsx'
import { Sheet } from '../../../design/page.tsx'
import { clockAt } from '../../../format/calendar.ts'
import { useFormat } from '../../../format/format.ts'
import type { Overview } from '../../api/types.ts'
import styles from './overview.module.css'

type Operation = Overview['instance']['operations'][number]
type Code = Overview['instance']['codes'][number]

export function Activity({ activity }: { activity: Overview['instance'] }) {
  const { t } = useTranslation()
  const operationColumns = useOperationColumns()
  const codeColumns = useCodeColumns()
  return (
    <>
      <Sheet title={t('operator.overview.operations')}>
        {activity.operations.length === 0 ? (
          <Empty title={t('operator.overview.noCalls')} />
        ) : (
          <DataTable
            caption={t('operator.overview.operations')}
            columns={operationColumns}
            rows={activity.operations}
            rowKey={({ operation }) => operation}
          />
        )}
      </Sheet>
      <Sheet title={t('operator.overview.codes')}>
        {activity.codes.length === 0 ? (
          <Empty title={t('operator.overview.noCodes', { minutes: activity.sumMinutes })} />
        ) : (
          <DataTable
            caption={t('operator.overview.codes')}
            columns={codeColumns}
            rows={activity.codes}
            rowKey={({ code }) => code}
          />
        )}
      </Sheet>
    </>
  )
}

function useOperationColumns(): Column<Operation>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const percentile = (name: 'p50Ms' | 'p95Ms' | 'p99Ms', title: string): Column<Operation> => ({
    key: name,
    title,
    isNumber: true,
    cell: ({ latency }) => (latency ? format.ms(latency[name]) : '–'),
  })
  return [
    {
      key: 'operation',
      title: t('operator.overview.operation'),
      isMain: true,
      cell: ({ operation }) => t(`operations.${operation}`),
    },
    {
      key: 'calls',
      title: t('operator.overview.calls'),
      isNumber: true,
      narrow: 'inline',
      cell: ({ calls }) => format.number(calls),
      sortBy: ({ calls }) => calls,
    },
    {
      key: 'failed',
      title: t('operator.overview.errors'),
      isNumber: true,
      cell: ({ failed }) => format.number(failed),
      sortBy: ({ failed }) => failed,
    },
    {
      key: 'rejected',
      title: t('operator.overview.rejected'),
      isNumber: true,
      cell: ({ rejected }) => format.number(rejected),
      sortBy: ({ rejected }) => rejected,
    },
    {
      key: 'credits',
      title: t('operator.overview.credits'),
      isNumber: true,
      cell: ({ credits }) => format.number(credits),
      sortBy: ({ credits }) => credits,
    },
    percentile('p50Ms', 'p50'),
    percentile('p95Ms', 'p95'),
    percentile('p99Ms', 'p99'),
  ]
}

function useCodeColumns(): Column<Code>[] {
  const { t } = useTranslation()
  const format = useFormat()
  return [
    { key: 'code', title: t('operator.overview.code'), isMain: true, cell: ({ code }) => <code>{code}</code> },
    {
      key: 'calls',
      title: t('operator.overview.calls'),
      isNumber: true,
      narrow: 'inline',
      cell: ({ calls }) => format.number(calls),
    },
  ]
}

type Minute = Overview['instance']['minutes'][number]
const views = ['calls', 'credits'] as const
type View = (typeof views)[number]
/** Width of a time label with its margin. */
const labelPx = 64
const colours = {
  succeeded: 'var(--part-1)',
  rejected: 'var(--part-2)',
  failed: 'var(--bad)',
  credits: 'var(--part-3)',
} as const

export function MinuteChart({ activity }: { activity: Overview['instance'] }) {
  const { t } = useTranslation()
  const [view, setView] = useState<View>('calls')
  const { ref, width } = useChartWidth()
  const { minutes, sumMinutes } = activity
  const say = useMinuteText()
  const every = Math.max(5, Math.ceil((labelPx * minutes.length) / (width || 800) / 5) * 5)
  const ticks = new Map(
    minutes.flatMap(({ at }, i) =>
      new Date(at).getUTCMinutes() % every === 0 && minutes.length - i > every / 2 ? [[i, clockOf(at)] as const] : [],
    ),
  )
  return (
    <Sheet
      title={t('operator.overview.chart')}
      actions={
        <Segments
          aria-label={t('operator.overview.chart')}
          value={view}
          onChange={setView}
          data={views.map((value) => ({ value, label: t(`operator.overview.chartOf.${value}`) }))}
        />
      }
    >
      <Sums minutes={minutes.slice(-sumMinutes)} activity={activity} />
      <div ref={ref}>
        <StackedBars
          label={t('operator.overview.chart')}
          bars={minutes.map((minute) => ({ key: minute.at, label: say(minute), parts: partsOf(minute, view) }))}
          ticks={ticks}
          placeOf={(key) => minutes.findIndex(({ at }) => at === key)}
          tip={(bar, place) => <MinuteTip minute={minutes[bar]!} place={place} />}
        />
      </div>
      <ChartLegend
        names={
          view === 'calls'
            ? (['succeeded', 'rejected', 'failed'] as const).map((name) => ({
                name: t(`operator.overview.${name}`),
                colour: colours[name],
              }))
            : [{ name: t('operator.overview.settledCredits'), colour: colours.credits }]
        }
      />
    </Sheet>
  )
}

const partsOf = ({ calls, failed, rejected, credits }: Minute, view: View) =>
  view === 'credits'
    ? [{ key: 'credits', value: credits, colour: colours.credits }]
    : [
        { key: 'succeeded', value: calls - failed - rejected, colour: colours.succeeded },
        { key: 'rejected', value: rejected, colour: colours.rejected },
        { key: 'failed', value: failed, colour: colours.failed },
      ]

const clockOf = (at: string) => clockAt(Date.parse(at)).slice(0, 5)

function useMinuteText(): (minute: Minute) => string {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  return ({ at, calls, failed, rejected, credits }) =>
    t('operator.overview.minuteSaid', {
      time: clockOf(at),
      calls: t('common.callsCount', { count: calls, amount: format.number(calls) }),
      failed: format.number(failed),
      rejected: format.number(rejected),
      credits: creditsText(credits),
    })
}

function MinuteTip({ minute, place }: { minute: Minute; place: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { at, calls, failed, rejected, credits } = minute
  return (
    <BarTip place={place}>
      <TipHead>{clockOf(at)}</TipHead>
      <ul>
        <TipLine
          name={t('operator.overview.succeeded')}
          value={format.number(calls - failed - rejected)}
          colour={colours.succeeded}
        />
        <TipLine name={t('operator.overview.rejected')} value={format.number(rejected)} colour={colours.rejected} />
        <TipLine name={t('operator.overview.failed')} value={format.number(failed)} colour={colours.failed} />
        <TipLine name={t('operator.overview.settledCredits')} value={format.number(credits)} colour={colours.credits} />
      </ul>
    </BarTip>
  )
}

function Sums({ minutes, activity }: { minutes: readonly Minute[]; activity: Overview['instance'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const sum = (of: 'calls' | 'failed' | 'rejected' | 'credits') =>
    minutes.reduce((total, minute) => total + minute[of], 0)
  const perMinute = (value: number) => (value / Math.max(1, minutes.length)).toFixed(value === 0 ? 0 : 1)
  const calls = sum('calls')
  const { latency } = activity
  const figures = [
    ['callsPerMinute', perMinute(calls)],
    ['creditsPerMinute', perMinute(sum('credits'))],
    ['failedShare', calls === 0 ? '0%' : `${((sum('failed') / calls) * 100).toFixed(1)}%`],
    ['rejectedShare', calls === 0 ? '0%' : `${((sum('rejected') / calls) * 100).toFixed(1)}%`],
    ['latency', latency ? format.ms(latency.p50Ms, latency.p95Ms, latency.p99Ms) : t('operator.overview.noCalls')],
  ] as const
  return (
    <>
      <p className={styles.span}>
        {t('operator.overview.now', { minutes: format.number(activity.sumMinutes) })}
        {' · '}
        {t('operator.overview.nowOf')}
      </p>
      <div className={styles.sums}>
        <Figures>
          {figures.map(([name, value]) => (
            <Figure key={name} title={t(`operator.overview.${name}`)}>
              {value}
            </Figure>
          ))}
        </Figures>
      </div>
    </>
  )
}
