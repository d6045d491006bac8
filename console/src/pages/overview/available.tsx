import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Overview } from '../../api/types.ts'
import { Amount, useCreditsText } from '../../design/amount.tsx'
import { LinkButton } from '../../design/button.tsx'
import { CreditBar, creditParts } from '../../design/credit-bar.tsx'
import { CreditFigure, Figure, Figures } from '../../design/figures.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './available.module.css'

const lowDays = 3
const manyDays = 365

interface AvailableProps {
  readonly overview: Overview
  /** The first steps above it already ask for credits. */
  readonly isQuiet: boolean
}

/** What can be spent, and below it the sum that always holds: added = used + reserved + available. */
export function Available({ overview, isQuiet }: AvailableProps) {
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
          {t('nav.recharge')}
        </LinkButton>
      </div>
      {overview.firstSteps.hasCall && <Spent overview={overview} />}
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

function Spent({ overview: { spent, callsToday } }: { overview: Overview }) {
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

/** Where everything that was ever added is now. */
function Parts({ overview: { bought, credits } }: { overview: Overview }) {
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

function HeldBy({ overview }: { overview: Overview }) {
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
