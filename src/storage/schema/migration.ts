export type EngineKind = 'sqlite' | 'postgres'

/** One step of the schema. Released migrations never change. */
export interface Migration {
  readonly version: number
  readonly name: string
  /** Programs that know this version or a newer one can serve the store after this step; older ones must be gone before it. */
  readonly compatibleFrom: number
  /** False if this program can also serve a store that does not have the step yet. */
  readonly isRequired: boolean
  readonly statements: (engine: EngineKind) => readonly string[]
}
