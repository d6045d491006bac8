import { type OpenedEngine, openEngine, type StoreOptions } from './open-engine.ts'
import { prepareSchema } from './prepare-schema.ts'

export type { OpenedEngine } from './open-engine.ts'

/**
 * Opens the store, and creates the schema of an empty one. Only the start of a gateway on an embedded store migrates an older
 * schema; on PostgreSQL that is what the command `migrate` is for.
 */
export async function openStore(options: StoreOptions): Promise<OpenedEngine> {
  const engine = await openEngine(options)
  try {
    await prepareSchema(engine, options)
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}
