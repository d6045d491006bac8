import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { DayChart } from '../../../design/chart/day-chart.tsx'
import { daysOf } from '../../../design/chart/days.ts'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { CreditBar, CreditFigure, creditParts, Figures, Mark, Time, useCreditsText } from '../../../design/figures.tsx'
import { Notice, Problem } from '../../../design/notice.tsx'
import { PageHead, PageSkeleton, Sheet, wide } from '../../../design/page.tsx'
import { addDays, dayAt } from '../../../format/calendar.ts'
import { useFormat } from '../../../format/format.ts'
import { overviewQuery } from '../../api/queries.ts'
import type { Overview } from '../../api/types.ts'
import { shortId } from '../../parts/parts.tsx'
import { ProviderTable } from '../providers/providers.tsx'
import { RunMark } from '../reconcile/reconcile.tsx'
import { Activity, MinuteChart } from './activity.tsx'
import styles from './overview.module.css'

const shownDays = 30

/** Live figures, refreshed every two seconds. */
export function OperatorOverview() {
  const { t } = useTranslation()
  const { data, error, refetch, dataUpdatedAt } = useQuery(overviewQuery)
  return (
    <div className={wide}>
      <PageHead
        title={t('operator.overview.title')}
        actions={data && <Live updatedAt={dataUpdatedAt} isFailing={error !== null} />}
      />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data ? <State overview={data} /> : !error && <PageSkeleton label={t('common.loading')} />}
    </div>
  )
}

function State({ overview }: { overview: Overview }) {
  const { t } = useTranslation()
  const to = dayAt(Date.now())
  const from = addDays(to, 1 - shownDays)
  return (
    <>
      <Attention overview={overview} />
      <LastDays lastDays={overview.lastDays} />
      <CreditTotals overview={overview} />
      <MinuteChart activity={overview.instance} />
      <Activity activity={overview.instance} />
      <Sheet title={t('operator.overview.days')}>
        <DayChart label={t('operator.overview.days')} days={daysOf({ from, to, items: overview.days })} />
      </Sheet>
      <Sheet title={t('operator.overview.providers')}>
        <ProviderTable caption={t('operator.overview.providers')} providers={overview.providers} />
      </Sheet>
      <Sheet title={t('operator.overview.instances')}>
        <InstanceTable instances={overview.instances} />
      </Sheet>
    </>
  )
}

interface Matter {
  readonly href: string
  readonly text: string
}

/** Everything waiting for an operator, each with a link to the page that handles it. */
function Attention({ overview }: { overview: Overview }) {
  const { t } = useTranslation()
  const matters = useMatters(overview)
  if (matters.length === 0) return <Notice tone="good">{t('operator.overview.allWell')}</Notice>
  return (
    <Notice tone="wait" title={t('operator.overview.attention')}>
      <ul>
        {matters.map(({ href, text }) => (
          <li key={text}>
            <Link href={href}>{text}</Link>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function useMatters(overview: Overview): Matter[] {
  const { reviews, pendingApprovals, providers, failingProviders, lastReconcile, instances, openMoney } = overview
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const matters: Matter[] = []
  const add = (href: string, text: string) => void matters.push({ href, text })
  if (reviews.open > 0) {
    const ago = reviews.oldestAt ? format.ago(reviews.oldestAt, Date.now()) : ''
    const said = {
      count: reviews.open,
      amount: format.number(reviews.open),
      credits: creditsText(reviews.credits),
      ago,
    }
    add('/reviews', t('operator.overview.reviewsOpen', said))
  }
  for (const [name, href] of moneyPages) {
    const count = openMoney[name]
    if (count > 0) add(href, t(`operator.overview.${name}`, { count, amount: format.number(count) }))
  }
  if (pendingApprovals > 0) {
    const said = { count: pendingApprovals, amount: format.number(pendingApprovals) }
    add('/approvals', t('operator.overview.approvalsOpen', said))
  }
  for (const { name, state, breaker } of providers) {
    if (state === 'out_of_service') add('/providers', t('operator.overview.outOfService', { name }))
    else if (breaker === 'open') add('/providers', t('operator.overview.breakerOpen', { name }))
  }
  for (const { name, calls, failed } of failingProviders) {
    const said = { name, calls: format.number(calls), failed: format.number(failed) }
    add('/providers', t('operator.overview.providerFails', { ...said, minutes: providers[0]?.outcomes.minutes ?? 0 }))
  }
  if (lastReconcile?.state === 'different') {
    const count = lastReconcile.differenceCount ?? 1
    const text = t('operator.overview.reconcileDiffers', { count, amount: format.number(count) })
    add(`/reconcile/${lastReconcile.runId}`, text)
  }
  if (lastReconcile?.state === 'failed') add('/reconcile', t('operator.overview.reconcileFailed'))
  for (const { instanceId, isLive } of instances) {
    if (!isLive) add('/settings', t('operator.overview.instanceGone', { id: shortId(instanceId) }))
  }
  return matters
}

const moneyPages = [
  ['paymentsInReview', '/payments?state=decision'],
  ['refundsInReview', '/payments?state=refunds'],
  ['openDifferences', '/comparisons?shown=open'],
] as const

/** Yesterday against the day before. */
function LastDays({ lastDays: [yesterday, before] }: Pick<Overview, 'lastDays'>) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!yesterday || !before) return null
  const rows = dayFacts.map((name) => {
    const show = (value: number) => (name.endsWith('Fen') ? format.yuanOfFen(value) : format.number(value))
    const title = t(`operator.overview.lastDays.${name}`)
    return { name, title, yesterday: show(yesterday[name]), before: show(before[name]) }
  })
  type Row = (typeof rows)[number]
  const columns: Column<Row>[] = [
    { key: 'fact', title: t('operator.overview.lastDays.fact'), isMain: true, cell: ({ title }) => title },
    { key: 'yesterday', title: format.day(yesterday.day), isNumber: true, cell: (row) => row.yesterday },
    { key: 'before', title: format.day(before.day), isNumber: true, cell: (row) => row.before },
  ]
  const title = t('operator.overview.lastDays.title')
  return (
    <Sheet title={title}>
      <DataTable caption={title} columns={columns} rows={rows} rowKey={({ name }) => name} />
    </Sheet>
  )
}

const dayFacts = ['accounts', 'rechargedFen', 'refundedFen', 'settledCredits', 'failures'] as const

const came = ['bought', 'granted', 'withdrawn'] as const

/** Sources and uses of all credits; both sides always add up. */
function CreditTotals({ overview: { credits, lastReconcile } }: { overview: Overview }) {
  const { t } = useTranslation()
  const format = useFormat()
  const sum = Object.fromEntries(
    [...came, ...creditParts].map((name) => [name, format.number(credits[name])]),
  ) as Record<keyof Overview['credits'], string>
  return (
    <Sheet title={t('operator.overview.allCredits')} actions={<LastReconcile run={lastReconcile} />}>
      <Figures isAligned>
        {came.map((name) => (
          <CreditFigure
            key={name}
            title={t(`operator.overview.${name}`)}
            credits={credits[name]}
            isLess={name === 'withdrawn'}
          />
        ))}
      </Figures>
      <CreditBar credits={credits} label={t('operator.overview.equation', sum)} />
      <Figures isAligned>
        {creditParts.map((part) => (
          <CreditFigure key={part} title={t(`operator.overview.${part}`)} credits={credits[part]} part={part} />
        ))}
      </Figures>
    </Sheet>
  )
}

type Instance = Overview['instances'][number]

function InstanceTable({ instances }: { instances: readonly Instance[] }) {
  const { t } = useTranslation()
  const columns: Column<Instance>[] = [
    {
      key: 'instance',
      title: t('operator.overview.instance'),
      isMain: true,
      cell: ({ instanceId, isThis }) => (
        <>
          <code title={instanceId}>{shortId(instanceId)}</code>
          {isThis && t('common.note', { text: t('operator.overview.thisOne') })}
        </>
      ),
    },
    {
      key: 'state',
      title: t('operator.accounts.state'),
      narrow: 'untitled',
      cell: ({ isLive }) => (
        <Mark tone={isLive ? 'good' : 'bad'}>{t(`operator.overview.${isLive ? 'isRunning' : 'gone'}`)}</Mark>
      ),
    },
    {
      key: 'started',
      title: t('operator.overview.started'),
      cell: ({ startedAt }) => (startedAt ? <Time at={startedAt} /> : '–'),
    },
    {
      key: 'lease',
      title: t('operator.overview.lease'),
      cell: ({ leaseUntil }) => (leaseUntil ? <Time at={leaseUntil} /> : t('operator.overview.fileLock')),
    },
  ]
  return (
    <DataTable
      caption={t('operator.overview.instances')}
      columns={columns}
      rows={instances}
      rowKey={({ instanceId }) => instanceId}
    />
  )
}

function LastReconcile({ run }: { run: Overview['lastReconcile'] }) {
  const { t } = useTranslation()
  return (
    <p className={styles.reconcile}>
      <span>{t('operator.overview.lastReconcile')}</span>
      {run ? (
        <>
          <RunMark run={run} />
          <Link href={`/reconcile/${run.runId}`}>
            <Time at={run.startedAt} />
          </Link>
        </>
      ) : (
        <Link href="/reconcile">{t('operator.overview.neverReconciled')}</Link>
      )}
    </p>
  )
}

/** Shows that the page is live, or since when it is stale. */
function Live({ updatedAt, isFailing }: { updatedAt: number; isFailing: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [, time = ''] = format.shortTime(new Date(updatedAt).toISOString()).split(' ')
  return (
    <p className={styles.live} data-failing={isFailing || undefined}>
      <strong>{!isFailing && t('operator.overview.live')}</strong>{' '}
      {t(isFailing ? 'operator.overview.stale' : 'operator.overview.updated', { time })}
    </p>
  )
}
