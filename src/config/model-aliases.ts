/** `models` is a list of aliases, or maps them to the names of a provider; a disabled provider has none. */
interface ModelsOfProvider {
  readonly adapter: string
  readonly models?: readonly string[] | Readonly<Record<string, string>>
}

/** The aliases that callers may use, the default first; null for a disabled provider. */
export function modelAliases({ models }: ModelsOfProvider): readonly string[] | null {
  if (!models) return null
  return isList(models) ? models : Object.keys(models)
}

const isList = (models: object): models is readonly string[] => Array.isArray(models)
