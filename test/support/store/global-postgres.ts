import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL server on which tests make databases of their own. */
    postgresUrl: string
  }
}

/** One server for the whole run; `TEST_DATABASE_URL` names another one, whose user may create databases. */
export default async function globalPostgres(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  if (given) {
    project.provide('postgresUrl', given)
    return async () => {}
  }
  // Nothing here survives the run; tests of durability start a server that syncs.
  const server = await startPostgres({ fsync: false })
  project.provide('postgresUrl', server.url)
  return () => server.remove()
}
