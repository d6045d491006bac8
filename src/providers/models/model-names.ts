/** The aliases of the configured providers. */
export interface ModelNames {
  /** The provider that is asked when a call names none. */
  readonly default: string
  /** Their `models` are null when a provider is disabled. */
  readonly providers: ReadonlyMap<string, { readonly models: readonly string[] | null }>
}

export interface NamedModel {
  readonly provider: string
  readonly alias: string
  /** Its name in responses: as it was asked for, or `provider/alias`. */
  readonly name: string
}

/**
 * Finds the model that a caller means by `provider/alias` or by an alias alone: that of the default provider, or of the only one
 * that has it. Null if there is none, or more than one.
 */
export function resolveModel({ default: first, providers }: ModelNames, asked?: string): NamedModel | null {
  if (asked === undefined) {
    const alias = providers.get(first)?.models?.[0] ?? ''
    return { provider: first, alias, name: `${first}/${alias}` }
  }
  for (const [provider, { models }] of providers) {
    const alias = asked.startsWith(`${provider}/`) ? asked.slice(provider.length + 1) : undefined
    if (alias !== undefined && models?.includes(alias)) return { provider, alias, name: asked }
  }
  const owners = [...providers].filter(([, { models }]) => models?.includes(asked)).map(([provider]) => provider)
  const provider = owners.includes(first) ? first : owners.length === 1 ? owners[0]! : null
  return provider === null ? null : { provider, alias: asked, name: asked }
}

/** Every name that `resolveModel` knows: the full ones, the default provider's first, then the bare ones. */
export function modelNames(names: ModelNames): NamedModel[] {
  const { default: first, providers } = names
  const sorted = [...providers].sort(([a], [b]) => Number(b === first) - Number(a === first))
  const full = sorted.flatMap(([provider, { models }]) =>
    (models ?? []).map((alias) => ({ provider, alias, name: `${provider}/${alias}` })),
  )
  const bare = [...new Set(full.map(({ alias }) => alias))].flatMap((alias) => resolveModel(names, alias) ?? [])
  return [...full, ...bare.filter(({ name }) => !full.some((other) => other.name === name))]
}
