import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { keysQuery, outcomesQuery, overviewQuery, usageQuery } from '../../api/queries.ts'
import type { Overview as OverviewData } from '../../api/types.ts'
import { CallLink } from '../../back-navigation.tsx'
import { LinkButton } from '../../design/button.tsx'
import { CodeBlock, Copy } from '../../design/copy.tsx'
import { Amount, CreditBar, CreditFigure, creditParts, Figure, Figures, useCreditsText } from '../../design/figures.tsx'
import { Icons } from '../../design/icons.tsx'
import { LoadingRows, Problem } from '../../design/notice.tsx'
import { PageHead, PageSkeleton, Sheet } from '../../design/page.tsx'
import { ChargeTable } from '../../design/tables.tsx'
import { curlOf } from '../../format/code-samples.ts'
import { keyText, useFormat } from '../../format/format.ts'
import { DailyChart } from '../usage/daily-chart.tsx'
import styles from './overview.module.css'

export function Overview() {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const { data, error, refetch } = useQuery(overviewQuery)
  if (!data && !error) return <PageSkeleton label={t('common.loading')} />
  const isNew = data && !(data.firstSteps.hasOrder && data.firstSteps.hasKey && data.firstSteps.hasCall)
  return (
    <div>
      <PageHead title={t('overview.title')} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          {isNew && <FirstSteps steps={data.firstSteps} />}
          {data.bought > 0 && <Available overview={data} isQuiet={isNew === true} />}
          {data.firstSteps.hasCall && (
            <>
              <DailyChart
                chosenDay={undefined}
                onChoose={(from: string, to = from) => navigate(`/usage?from=${from}&to=${to}`)}
              />
              <LatestCalls />
            </>
          )}
          {isNew && <QuickStart baseUrl={data.baseUrl} />}
        </>
      )}
    </div>
  )
}

const lowDays = 3
const manyDays = 365

interface AvailableProps {
  readonly overview: OverviewData
  /** The first steps already offer to add credits. */
  readonly isQuiet: boolean
}

/** The available credits and the equation added = used + reserved + available. */
function Available({ overview, isQuiet }: AvailableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { available, reserved } = overview.credits
  return (
    <Sheet>
      <div className={styles.hero}>
        <div>
          <h2 className={styles.label}>{t('overview.available')}</h2>
          <p className={styles.amount}>
            <Amount credits={available} size="xl" />{' '}
            <span className={styles.worth}>{format.yuanOfCredits(available)}</span>
          </p>
          <Runway days={overview.runwayDays} />
        </div>
        <LinkButton href="/recharge" size="md" variant={isQuiet ? 'default' : 'filled'}>
          {t('recharge.title')}
        </LinkButton>
      </div>
      {overview.firstSteps.hasCall && <Spent overview={overview} />}
      {overview.firstSteps.hasCall && <Outcomes />}
      <Parts overview={overview} />
      {reserved > 0 && <HeldBy overview={overview} />}
    </Sheet>
  )
}

function Runway({ days }: { days: number | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (days === null) return null
  const time =
    days > manyDays ? t('overview.runwayLong') : t('overview.runwayDays', { count: days, amount: format.number(days) })
  return (
    <p className={styles.runway} data-low={days < lowDays || undefined}>
      {t('overview.runway', { time })}
    </p>
  )
}

function Spent({ overview: { spent, callsToday } }: { overview: OverviewData }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={styles.spent}>
      <Figures>
        {(['today', 'last7Days', 'last30Days'] as const).map((span) => (
          <CreditFigure key={span} title={t(`overview.${span}`)} credits={spent[span]} />
        ))}
        <Figure title={t('overview.callsToday')}>{format.number(callsToday)}</Figure>
      </Figures>
    </div>
  )
}

/** How today's calls ended, each count with a link to those calls. */
function Outcomes() {
  const { t } = useTranslation()
  const format = useFormat()
  const { data } = useQuery(outcomesQuery)
  if (!data || data.succeeded + data.failed + data.inReview === 0) return null
  const link = (filter: string) => `/usage?from=${data.from}&to=${data.to}&${filter}`
  const counts = [
    ['succeeded', 'state=settled'],
    ['failed', 'state=released'],
    ['inReview', 'state=manual_review'],
  ] as const
  return (
    <div className={styles.outcomes}>
      <p>
        {t(data.isWhole ? 'overview.outcomesToday' : 'overview.outcomesNewest')}
        {counts
          .filter(([name]) => name === 'succeeded' || data[name] > 0)
          .map(([name, filter]) => (
            <Link key={name} href={link(filter)} data-outcome={name}>
              {t(`overview.${name}`, { amount: format.number(data[name]) })}
            </Link>
          ))}
      </p>
      {data.reasons.length > 0 && (
        <p>
          {t('overview.failures')}
          {data.reasons.map(({ code, calls }) => (
            <Link key={code} href={link(`reason=${code}`)}>
              <code>{code}</code> {format.number(calls)}
            </Link>
          ))}
        </p>
      )}
    </div>
  )
}

function Parts({ overview: { bought, credits } }: { overview: OverviewData }) {
  const { t } = useTranslation()
  const format = useFormat()
  const parts = { ...credits, spent: bought - credits.available - credits.reserved }
  const sum = {
    bought: format.number(bought),
    spent: format.number(parts.spent),
    reserved: format.number(parts.reserved),
    available: format.number(parts.available),
  }
  return (
    <div className={styles.sum}>
      <CreditBar credits={parts} label={t('overview.equation', sum)} />
      <Figures>
        <CreditFigure title={t('overview.bought')} credits={bought} />
        {creditParts.map((part) => (
          <CreditFigure key={part} title={t(`overview.${part}`)} credits={parts[part]} part={part} />
        ))}
      </Figures>
    </div>
  )
}

function HeldBy({ overview }: { overview: OverviewData }) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const links = { reserved: '/usage?state=reserved', manual_review: '/reviews' } as const
  return (
    <p className={styles.held}>
      {t('overview.heldBy')}
      {overview.held
        .filter(({ charges }) => charges > 0)
        .map(({ state, charges, credits }) => (
          <span key={state}>
            <Link href={links[state]}>
              {t(`overview.heldStates.${state}`, { count: charges, amount: format.number(charges) })}
            </Link>{' '}
            <span className={styles.worth}>{creditsText(credits)}</span>
          </span>
        ))}
    </p>
  )
}

const steps = [
  { name: 'stepOrder', flag: 'hasOrder', path: '/recharge' },
  { name: 'stepKey', flag: 'hasKey', path: '/keys' },
  { name: 'stepCall', flag: 'hasCall', path: '/playground' },
] as const

/** What a new project needs before its first call; the next step is a button. */
function FirstSteps({ steps: done }: { steps: OverviewData['firstSteps'] }) {
  const { t } = useTranslation()
  const count = steps.filter(({ flag }) => done[flag]).length
  const next = steps.find(({ flag }) => !done[flag])
  return (
    <Sheet
      title={t('overview.firstSteps')}
      actions={<span className={styles.count}>{t('overview.firstStepsDone', { done: count })}</span>}
    >
      <ol className={styles.steps}>
        {steps.map((step, i) => (
          <li key={step.name} data-done={done[step.flag] || undefined} data-next={step === next || undefined}>
            <span className={styles.number}>{done[step.flag] ? <Icons.check size={16} /> : i + 1}</span>
            <div className={styles.text}>
              {step === next ? (
                <LinkButton href={step.path}>{t(`overview.${step.name}`)}</LinkButton>
              ) : done[step.flag] ? (
                <p>
                  {t(`overview.${step.name}`)}
                  <span className={styles.count}>{t('common.note', { text: t('overview.done') })}</span>
                </p>
              ) : (
                <Link href={step.path}>{t(`overview.${step.name}`)}</Link>
              )}
              <p className={styles.hint}>{t(`overview.${step.name}Hint`)}</p>
            </div>
          </li>
        ))}
      </ol>
    </Sheet>
  )
}

const shown = 5

function LatestCalls() {
  const { t } = useTranslation()
  const { data, error, refetch } = useInfiniteQuery(usageQuery({}))
  return (
    <Sheet title={t('overview.recent')} actions={<Link href="/usage">{t('overview.allCalls')}</Link>}>
      {data ? (
        <ChargeTable charges={data.pages[0]!.items.slice(0, shown)} Call={CallLink} />
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={shown} />
      )}
    </Sheet>
  )
}

/** The base URL and a command that works once the key is in the variable. */
function QuickStart({ baseUrl }: { baseUrl: string }) {
  const { t, i18n } = useTranslation()
  const { data } = useQuery(keysQuery)
  const key = data?.items.find(({ state, scopes }) => state === 'active' && scopes.includes('models:invoke'))
  const prompt = i18n.language === 'en' ? 'Say hello.' : '用一句话介绍杭州。'
  return (
    <Sheet title={t('overview.start')}>
      <p className={styles.base}>
        <span className={styles.quickStartLabel}>{t('overview.baseUrl')}</span> <code>{baseUrl}</code>{' '}
        <Copy text={baseUrl} of={t('overview.baseUrl')} />
      </p>
      <CodeBlock
        label={t('overview.command')}
        code={curlOf({ url: `${baseUrl}/v1/models/chat`, body: { prompt }, keyPrefix: key?.displayPrefix })}
        hint={key ? t('overview.commandKey', { prefix: keyText(key) }) : t('overview.commandNoKey')}
      />
    </Sheet>
  )
}
