export type EngineKind = 'sqlite' | 'postgres'

/** One step of the schema. A step that has been released is never changed. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly statements: (engine: EngineKind) => readonly string[]
}
