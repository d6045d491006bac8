import type { TestProject } from 'vitest/node'
import { runDirectory } from '../memory-directory.ts'
import { startPostgres } from './postgres-server.ts'
import { createTemplates, type Templates } from './templates.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The PostgreSQL server on which tests create their databases. */
    postgresUrl: string
    templates: Templates
  }
}

/** Starts one server for the whole run; `TEST_DATABASE_URL` names another, whose user may create databases. */
export async function globalStores(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  // Nothing outlives the run; tests of durability start a server that syncs. Each new database is a checkpoint, after which
  // whole pages would be logged.
  const flags = ['-c', 'full_page_writes=off']
  const server = given ? null : await startPostgres({ fsync: false, flags, parent: runDirectory })
  const postgresUrl = given ?? server!.url
  const { remove, ...templates } = await createTemplates(postgresUrl)
  project.provide('postgresUrl', postgresUrl)
  project.provide('templates', templates)
  return async () => {
    await remove()
    await server?.remove()
  }
}
