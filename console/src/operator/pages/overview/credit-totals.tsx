import { useTranslation } from 'react-i18next'
import { CreditBar, creditParts } from '../../../design/credit-bar.tsx'
import { CreditFigure, Figures } from '../../../design/figures.tsx'
import { Sheet } from '../../../design/sheet.tsx'
import { useFormat } from '../../../format/format.ts'
import type { Overview } from '../../api/types.ts'
import { LastReconcile } from './last-reconcile.tsx'

const came = ['bought', 'granted', 'withdrawn'] as const

/** Where the credits of all customers came from and where they are: the sum that always holds. */
export function CreditTotals({ overview: { credits, lastReconcile } }: { overview: Overview }) {
  const { t } = useTranslation()
  const format = useFormat()
  const sum = Object.fromEntries(
    [...came, ...creditParts].map((name) => [name, format.number(credits[name])]),
  ) as Record<keyof Overview['credits'], string>
  return (
    <Sheet title={t('operator.overview.books')} actions={<LastReconcile run={lastReconcile} />}>
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
