import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openStore } from '../../src/storage/open-store.ts'
import { silent } from './silent.ts'

/** Databases with the schema and nothing else, which tests copy. */
export interface Templates {
  /** Name of a database on the server of the run. */
  readonly postgres: string
  /** Path of a file. */
  readonly sqlite: string
}

export const sqliteFileName = 'gateway.sqlite'

/** Runs the migrations once for the whole run. */
export async function createTemplates(serverUrl: string): Promise<Templates & { remove(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-template-'))
  const postgres = `template_${process.pid}_${Date.now()}`
  await runOnServer(serverUrl, `CREATE DATABASE ${postgres}`)
  const url = new URL(serverUrl)
  url.pathname = `/${postgres}`
  for (const databaseUrl of ['sqlite:', url.href]) {
    const store = await openStore({ databaseUrl, dataDir, exclusive: true, clock: Date.now, logger: silent })
    await store.close()
  }
  return {
    postgres,
    sqlite: join(dataDir, sqliteFileName),
    remove: async () => {
      await runOnServer(serverUrl, `DROP DATABASE IF EXISTS ${postgres} WITH (FORCE)`)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function runOnServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}
