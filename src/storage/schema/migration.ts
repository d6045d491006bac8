export type EngineKind = 'sqlite' | 'postgres'

/** One step of the schema. Released migrations never change. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly statements: (engine: EngineKind) => readonly string[]
}
