import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Overview } from '../../api/types.ts'
import { Amount } from '../../design/amount.tsx'
import { Notice } from '../../design/notice.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './spending.module.css'

const lowDays = 3
const manyDays = 365

/** What went out lately, and how long the rest lasts at that pace. */
export function Spending({ overview }: { overview: Overview }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { spent, callsToday, runwayDays } = overview
  const runway =
    runwayDays === null
      ? t('overview.runwayUnknown')
      : runwayDays > manyDays
        ? t('overview.runwayLong')
        : t('overview.runwayDays', { count: runwayDays, amount: format.number(runwayDays) })
  return (
    <Sheet title={t('overview.spentTitle')} actions={<Link href="/usage">{t('nav.usage')}</Link>}>
      <dl className={styles.figures}>
        {(['today', 'last7Days', 'last30Days'] as const).map((span) => (
          <div key={span}>
            <dt>{t(`overview.${span}`)}</dt>
            <dd>
              <Amount credits={spent[span]} />
              <span className={styles.note}>
                {span === 'today'
                  ? t('overview.callsToday', { count: callsToday, amount: format.number(callsToday) })
                  : format.yuanOfCredits(spent[span])}
              </span>
            </dd>
          </div>
        ))}
        <div>
          <dt>{t('overview.runway')}</dt>
          <dd>
            <span className={styles.runway}>{runway}</span>
            <span className={styles.note}>
              {t(runwayDays === null ? 'overview.runwayNone' : 'overview.runwayHint')}
            </span>
          </dd>
        </div>
      </dl>
      {runwayDays !== null && runwayDays < lowDays && (
        <div className={styles.low}>
          <Notice tone="wait" actions={<Link href="/recharge">{t('nav.recharge')}</Link>}>
            {t('overview.low')}
          </Notice>
        </div>
      )}
    </Sheet>
  )
}
