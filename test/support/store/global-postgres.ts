import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The PostgreSQL server on which tests create their databases. */
    postgresUrl: string
  }
}

/** Starts one server for the whole run; `TEST_DATABASE_URL` names another, whose user may create databases. */
export default async function globalPostgres(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  if (given) {
    project.provide('postgresUrl', given)
    return async () => {}
  }
  // Nothing outlives the run; tests of durability start a server that syncs.
  const server = await startPostgres({ fsync: false })
  project.provide('postgresUrl', server.url)
  return () => server.remove()
}
