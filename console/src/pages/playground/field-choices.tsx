import { createContext, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import type { Catalog } from '../../api/types.ts'
import type { JsonObject } from './schema.ts'

interface Choice {
  readonly value: string
  readonly label: string
}

const CatalogContext = createContext<Catalog | null>(null)
export const FieldChoices = CatalogContext.Provider

/** What this installation offers for a field, beyond what the contract says. */
export function useFieldChoices() {
  const { t } = useTranslation()
  const catalog = useContext(CatalogContext)
  const modelsOf = (provider: unknown) =>
    catalog?.modelProviders.find((known) => known.provider === (provider ?? catalog.defaultModelProvider))

  /** Names that cannot be called here are marked, not hidden: calling one shows what a program would get. */
  function labelOf(value: string): string {
    const known = [...(catalog?.modelProviders ?? []), ...(catalog?.shops ?? [])].find((one) => one.provider === value)
    return known && !known.enabled ? `${value} (${t('pricing.disabled')})` : value
  }

  return {
    defaultProvider: (names: readonly string[] | undefined): string | null =>
      catalog && names?.includes(catalog.defaultModelProvider) ? catalog.defaultModelProvider : null,
    labelOf,
    /** The models of the provider that is chosen beside it; none where the field is no model or nothing is known. */
    models(name: string, { provider, model }: JsonObject): readonly Choice[] | null {
      const known = name === 'model' ? modelsOf(provider) : undefined
      if (!known || known.models.length === 0) return null
      const typed = typeof model === 'string' && model !== '' && !known.models.includes(model) ? [model] : []
      return [...known.models, ...typed].map((value) => ({ value, label: value }))
    },
    defaultModel: (provider: unknown): string | null => modelsOf(provider)?.defaultModel ?? null,
    /** A model of another provider would only be refused. */
    withoutForeignModel(changed: string, value: JsonObject): JsonObject {
      const known = changed === 'provider' && typeof value.model === 'string' ? modelsOf(value.provider) : undefined
      if (!known || known.models.includes(value.model as string)) return value
      const { model: _, ...others } = value
      return others
    },
  }
}
