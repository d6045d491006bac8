import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { catalogQuery, pricingQuery } from '../../api/queries.ts'
import type { PricedOperation } from '../../api/types.ts'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { Facts } from '../../design/facts.tsx'
import { PageHead } from '../../design/page-head.tsx'
import { PageSkeleton } from '../../design/page-skeleton.tsx'
import { Problem } from '../../design/problem.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { useFormat } from '../../format/format.ts'
import { CatalogSheets } from './catalog-sheets.tsx'
import styles from './pricing.module.css'

const rules = [
  'reserve',
  'settle',
  'release',
  'manualReview',
  'idempotentReplay',
  'idempotencyConflict',
  'insufficientCredits',
] as const

export function Pricing() {
  const { t } = useTranslation()
  const pricing = useQuery(pricingQuery)
  const catalog = useQuery(catalogQuery)
  if (!pricing.data && !pricing.error) return <PageSkeleton label={t('common.loading')} />
  return (
    <div>
      <PageHead title={t('pricing.title')} lead={t('pricing.lead')} />
      <Sheet
        title={t('pricing.prices')}
        actions={
          pricing.data && (
            <span className={styles.version}>{t('pricing.version', { version: pricing.data.pricingVersion })}</span>
          )
        }
      >
        {pricing.error && <Problem error={pricing.error} onRetry={() => void pricing.refetch()} />}
        {pricing.data && <PriceTable operations={pricing.data.operations} />}
      </Sheet>
      <Sheet title={t('pricing.rules')}>
        <Facts facts={rules.map((rule) => [t(`pricing.policyNames.${rule}`), t(`pricing.policy.${rule}`)])} />
      </Sheet>
      {catalog.error && <Problem error={catalog.error} onRetry={() => void catalog.refetch()} />}
      {catalog.data && <CatalogSheets catalog={catalog.data} />}
    </div>
  )
}

function PriceTable({ operations }: { operations: readonly PricedOperation[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<PricedOperation>[] = [
    {
      key: 'operation',
      title: t('pricing.operation'),
      isMain: true,
      cell: ({ operation }) => (
        <Link href={`/playground/${operation}`} className={styles.operation}>
          {t(`operations.${operation}`)}
        </Link>
      ),
    },
    { key: 'path', title: t('pricing.path'), narrow: 'untitled', cell: ({ path }) => <code>POST {path}</code> },
    {
      key: 'scope',
      title: t('pricing.scope'),
      cell: ({ scope }) => <code>{scope}</code>,
      sortBy: ({ scope }) => scope,
    },
    {
      key: 'credits',
      title: t('pricing.credits'),
      isNumber: true,
      cell: ({ credits }) => format.number(credits),
      sortBy: ({ credits }) => credits,
    },
    {
      key: 'yuan',
      title: t('pricing.yuan'),
      isNumber: true,
      narrow: 'beside',
      cell: ({ cnyFen }) => format.yuanOfFen(cnyFen),
    },
  ]
  return (
    <DataTable
      caption={t('pricing.prices')}
      columns={columns}
      rows={operations}
      rowKey={({ operation }) => operation}
    />
  )
}
