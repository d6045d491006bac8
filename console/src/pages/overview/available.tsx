import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Overview } from '../../api/types.ts'
import { Amount, useCreditsText } from '../../design/amount.tsx'
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
        <Button component={Link} href="/recharge" size="md" variant={isQuiet ? 'default' : 'filled'}>
          {t('nav.recharge')}
        </Button>
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
    <dl className={styles.spent}>
      {(['today', 'last7Days', 'last30Days'] as const).map((span) => (
        <div key={span}>
          <dt>{t(`overview.${span}`)}</dt>
          <dd>
            {format.number(spent[span])} <span className={styles.worth}>{format.yuanOfCredits(spent[span])}</span>
          </dd>
        </div>
      ))}
      <div>
        <dt>{t('overview.callsToday')}</dt>
        <dd>{format.number(callsToday)}</dd>
      </div>
    </dl>
  )
}

/** Where everything that was ever added is now. */
function Parts({ overview }: { overview: Overview }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { available, reserved } = overview.credits
  const bought = overview.bought
  const spent = bought - available - reserved
  const parts = [
    { name: 'spent', credits: spent },
    { name: 'held', credits: reserved },
    { name: 'available', credits: available },
  ] as const
  const sum = {
    bought: format.number(bought),
    spent: format.number(spent),
    held: format.number(reserved),
    available: format.number(available),
  }
  return (
    <div className={styles.sum}>
      <div className={styles.bar} role="img" aria-label={t('overview.equation', sum)}>
        {parts.map(({ name, credits }) => (
          <span key={name} data-part={name} style={{ flexGrow: credits }} data-empty={credits === 0 || undefined} />
        ))}
      </div>
      <dl className={styles.parts}>
        {[{ name: 'bought' as const, credits: bought }, ...parts].map(({ name, credits }) => (
          <div key={name} data-part={name}>
            <dt>{t(`overview.${name}`)}</dt>
            <dd>
              {format.number(credits)} <span className={styles.worth}>{format.yuanOfCredits(credits)}</span>
            </dd>
          </div>
        ))}
      </dl>
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
