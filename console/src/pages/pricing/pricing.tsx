import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { mediaOperation } from '../../../../src/contract/prices.ts'
import { catalogQuery, pricingQuery } from '../../api/queries.ts'
import type { Catalog, PricedOperation } from '../../api/types.ts'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { Facts, Mark, useCreditsText } from '../../design/figures.tsx'
import { Problem } from '../../design/notice.tsx'
import { PageHead, PageSkeleton, Sheet } from '../../design/page.tsx'
import { useFormat } from '../../format/format.ts'
import { addWords } from '../../i18n/i18n.ts'
import { mediaCreditsPerSecond } from '../../installation.ts'
import styles from './pricing.module.css'
import * as words from './words.ts'

addWords(words)

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
        <VideoPrice />
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
      narrow: 'inline',
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

/** Outside the table: it is by the second, and outside the price list of the contract. */
function VideoPrice() {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  return (
    <p className={styles.fixture}>
      <Link href="/media">{t(`operations.${mediaOperation}`)}</Link>{' '}
      {t('common.perSecond', { credits: creditsText(mediaCreditsPerSecond) })}
      {t('common.note', { text: format.yuanOfCredits(mediaCreditsPerSecond) })}
    </p>
  )
}

type Model = Catalog['modelProviders'][number]
type Shop = Catalog['shops'][number]

/** The configured providers, and whether their data is real. */
function CatalogSheets({ catalog }: { catalog: Catalog }) {
  const { t } = useTranslation()
  const format = useFormat()
  const state: Column<Model | Shop> = {
    key: 'state',
    title: t('pricing.state'),
    cell: ({ enabled, adapter }) => (
      <span className={styles.state}>
        <Mark tone={enabled ? 'good' : 'plain'}>{t(enabled ? 'pricing.enabled' : 'pricing.disabled')}</Mark>
        {adapter && <span className={styles.adapter}>{t(`pricing.${adapter}`)}</span>}
      </span>
    ),
  }
  const models: Column<Model>[] = [
    {
      key: 'provider',
      title: t('pricing.provider'),
      isMain: true,
      cell: ({ provider }) => (
        <span>
          <code>{provider}</code>
          {provider === catalog.defaultModelProvider && (
            <span className={styles.adapter}>{t('common.note', { text: t('pricing.default') })}</span>
          )}
        </span>
      ),
    },
    {
      key: 'models',
      title: t('pricing.modelNames'),
      cell: ({ models, defaultModel }) => (
        <span>
          {models.length === 0 && t('common.none')}
          {models.map((model) => (
            <span key={model} className={styles.model}>
              <code>{model}</code>
              {model === defaultModel && (
                <span className={styles.adapter}>{t('common.note', { text: t('pricing.default') })}</span>
              )}
            </span>
          ))}
        </span>
      ),
    },
    {
      key: 'prompt',
      title: t('pricing.longestPrompt'),
      isNumber: true,
      cell: ({ maxPromptChars }) =>
        maxPromptChars === null ? '–' : t('pricing.characters', { amount: format.number(maxPromptChars) }),
    },
    {
      key: 'output',
      title: t('pricing.longestOutput'),
      isNumber: true,
      cell: ({ maxOutputTokens }) =>
        maxOutputTokens === null ? '–' : t('pricing.tokens', { amount: format.number(maxOutputTokens) }),
    },
    state,
  ]
  const shops: Column<Shop>[] = [
    { key: 'provider', title: t('pricing.provider'), isMain: true, cell: ({ provider }) => <code>{provider}</code> },
    state,
  ]
  const isFixture = catalog.shoppingMode === 'local-mock'
  return (
    <>
      <Sheet title={t('pricing.models')}>
        <DataTable
          caption={t('pricing.models')}
          columns={models}
          rows={catalog.modelProviders}
          rowKey={({ provider }) => provider}
        />
      </Sheet>
      <Sheet title={t('pricing.shops')}>
        <DataTable
          caption={t('pricing.shops')}
          columns={shops}
          rows={catalog.shops}
          rowKey={({ provider }) => provider}
        />
        {isFixture && <p className={styles.fixture}>{t('pricing.fixture')}</p>}
      </Sheet>
    </>
  )
}
