export type EngineKind = 'sqlite' | 'postgres'

/** One step of the schema. Statements are portable: TEXT, BIGINT, INTEGER; each engine's dialect does the rest. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly statements: readonly string[]
  /** What one engine alone does, behind the portable statements. */
  readonly own?: Partial<Readonly<Record<EngineKind, readonly string[]>>>
}
