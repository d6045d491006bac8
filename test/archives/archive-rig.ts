import { join } from 'node:path'
import { type ArchiverDeps, createArchiver } from '../../src/features/archives/archiver.ts'
import { createArchiveDirectory } from '../../src/features/archives/directory.ts'
import { createArchiveStore } from '../../src/features/archives/store.ts'
import { openStatement, type StatementLine } from '../../src/features/reports/statement-store.ts'
import { reconcile } from '../../src/reconcile/reconcile.ts'
import { type EngineName, freshStore, onDisk } from '../support/store/engines.ts'
import { dayMs, History } from './history.ts'

export const retentionDays = 35
export const resultDays = 30

/** A store with random traffic, and what archives it. */
export async function openArchiveRig(engine: EngineName, seed: number) {
  const { store, database, remove } = await freshStore(engine, onDisk)
  const history = new History(store, seed)
  const path = join(database.dataDir, 'archives')
  const archiveStore = {
    ...createArchiveStore(store),
    // The history has a clock of its own.
    times: async () => ({ databaseMs: history.now, newestEntryMs: null }),
  }
  const directory = () => createArchiveDirectory(path)
  const archiver = (changes: Partial<ArchiverDeps> = {}) =>
    createArchiver({
      store: archiveStore,
      directory: directory(),
      lockDirectory: async () => ({ release: () => {} }),
      holder: 'test',
      host: 'host-a',
      clock: () => history.now,
      retentionDays,
      resultDays,
      pauseMs: 0,
      ...changes,
    })
  return {
    store,
    database,
    history,
    path,
    archiveStore,
    directory,
    archiver,
    archive: (changes: Partial<ArchiverDeps> = {}) => archiver(changes).run(),
    reconcile: () =>
      reconcile(store, { resultsKeptSince: history.now - resultDays * dayMs, archives: directory(), pageRows: 20 }),
    statement: async (projectId: string, { from = 0, to = Number.MAX_SAFE_INTEGER } = {}) => {
      const pages = await openStatement(store, { projectId, from, to }, { archives: directory(), pageRows: 20 })
      const lines: StatementLine[] = []
      for await (const page of pages!) lines.push(...page)
      return lines
    },
    rows: async (table: string) =>
      (await store.read((tx) => tx.get<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`)))!.count,
    remove,
  }
}

export type ArchiveRig = Awaited<ReturnType<typeof openArchiveRig>>
