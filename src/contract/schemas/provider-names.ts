/** The configured names: always three model providers and three shops. */
export interface ProviderNames {
  readonly models: readonly string[]
  readonly shops: readonly string[]
}
