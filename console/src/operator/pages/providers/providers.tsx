import { useTranslation } from 'react-i18next'
import { Empty } from '../../../design/empty.tsx'
import { PageHead } from '../../../design/page-head.tsx'
import { Sheet } from '../../../design/sheet.tsx'
import { wide } from '../../../design/wide.ts'
import { providersQuery } from '../../api/queries.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { ProviderTable } from './provider-table.tsx'

export function Providers() {
  const { t } = useTranslation()
  return (
    <div className={wide}>
      <PageHead title={t('operator.providers.title')} lead={t('operator.providers.lead')} />
      {(['model', 'shop'] as const).map((kind) => (
        <Sheet key={kind} title={t(`operator.providers.${kind}`)}>
          <Loaded query={providersQuery}>
            {({ items }) => {
              const providers = items.filter((provider) => provider.kind === kind)
              return providers.length === 0 ? (
                <Empty title={t('operator.providers.none')} />
              ) : (
                <ProviderTable caption={t(`operator.providers.${kind}`)} providers={providers} hasActions />
              )
            }}
          </Loaded>
        </Sheet>
      ))}
    </div>
  )
}
