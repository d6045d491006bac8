import { useTranslation } from 'react-i18next'
import { Sheet } from '../../../design/sheet.tsx'
import { useFormat } from '../../../format/format.ts'
import type { Overview } from '../../api/types.ts'
import { LastReconcile } from './last-reconcile.tsx'
import styles from './overview.module.css'

const came = ['bought', 'granted', 'withdrawn'] as const
const went = ['spent', 'reserved', 'available'] as const

/** Where the credits of all customers came from and where they are: the sum that always holds. */
export function CreditTotals({ overview: { credits, lastReconcile } }: { overview: Overview }) {
  const { t } = useTranslation()
  const format = useFormat()
  const figure = (name: (typeof came | typeof went)[number]) => (
    <div key={name} data-part={name}>
      <dt>{t(`operator.overview.${name}`)}</dt>
      <dd>
        {name === 'withdrawn' && credits[name] > 0 && '−'}
        {format.number(credits[name])} <span className={styles.worth}>{format.yuanOfCredits(credits[name])}</span>
      </dd>
    </div>
  )
  const sum = Object.fromEntries([...came, ...went].map((name) => [name, format.number(credits[name])])) as Record<
    keyof Overview['credits'],
    string
  >
  return (
    <Sheet title={t('operator.overview.books')} actions={<LastReconcile run={lastReconcile} />}>
      <dl className={styles.totals}>{came.map(figure)}</dl>
      <div className={styles.bar} role="img" aria-label={t('operator.overview.equation', sum)}>
        {went.map((name) => (
          <span
            key={name}
            data-part={name}
            style={{ flexGrow: credits[name] }}
            data-empty={credits[name] === 0 || undefined}
          />
        ))}
      </div>
      <dl className={styles.totals}>{went.map(figure)}</dl>
    </Sheet>
  )
}
