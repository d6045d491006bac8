import { useTranslation } from 'react-i18next'
import type { Catalog } from '../../api/types.ts'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { Mark } from '../../design/state-mark.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './catalog-sheets.module.css'

type Model = Catalog['modelProviders'][number]
type Shop = Catalog['shops'][number]

/** Which providers answer here, and whether their answers are real. */
export function CatalogSheets({ catalog }: { catalog: Catalog }) {
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
            <span className={styles.adapter}> ({t('pricing.default')})</span>
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
              {model === defaultModel && <span className={styles.adapter}> ({t('pricing.default')})</span>}
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
