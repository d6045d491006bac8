/** One step of the schema. Statements are portable: TEXT, BIGINT, INTEGER; each engine's dialect does the rest. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly statements: readonly string[]
}
