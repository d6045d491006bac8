import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Overview } from '../../api/types.ts'
import { Amount, useCreditsText } from '../../design/amount.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './where-credits-are.module.css'

/** The sum that always holds: what was bought is spent, reserved or available. */
export function WhereCreditsAre({ overview }: { overview: Overview }) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const { available, reserved } = overview.credits
  const bought = overview.bought
  const spent = bought - available - reserved
  const parts = [
    { name: 'spent', credits: spent },
    { name: 'held', credits: reserved },
    { name: 'available', credits: available },
  ] as const
  const underWay = overview.held.find(({ state }) => state === 'reserved')!
  const inReview = overview.held.find(({ state }) => state === 'manual_review')!

  return (
    <Sheet title={t('overview.where')}>
      <p className={styles.total}>
        <span className={styles.label}>{t('overview.bought')}</span> <Amount credits={bought} size="xl" />{' '}
        <span className={styles.worth}>{format.yuanOfCredits(bought)}</span>
      </p>
      <div
        className={styles.bar}
        role="img"
        aria-label={t('overview.equation', {
          bought: format.number(bought),
          spent: format.number(spent),
          held: format.number(reserved),
          available: format.number(available),
        })}
      >
        {parts.map(({ name, credits }) => (
          <span key={name} data-part={name} style={{ flexGrow: credits }} data-empty={credits === 0 || undefined} />
        ))}
      </div>
      <dl className={styles.parts}>
        {parts.map(({ name, credits }) => (
          <div key={name} data-part={name}>
            <dt>{t(`overview.${name}`)}</dt>
            <dd>
              <Amount credits={credits} />
              <span className={styles.worth}>{format.yuanOfCredits(credits)}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles.held}>
        {reserved === 0 ? (
          t('overview.nothingHeld')
        ) : (
          <>
            {t('overview.heldBy')}: <Link href="/usage?state=reserved">{t('overview.underWay')}</Link>{' '}
            {format.number(underWay.charges)} ({creditsText(underWay.credits)}),{' '}
            <Link href="/reviews">{t('overview.inReview')}</Link> {format.number(inReview.charges)} (
            {creditsText(inReview.credits)})
          </>
        )}
      </p>
    </Sheet>
  )
}
