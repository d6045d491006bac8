import { join } from 'node:path'
import { createArchivedReads } from '../../../../src/features/records/archives/archived-reads.ts'
import { type ArchiverDeps, createArchiver } from '../../../../src/features/records/archives/archiver.ts'
import { createArchiveDirectory } from '../../../../src/features/records/archives/directory.ts'
import { createArchiveStore } from '../../../../src/features/records/archives/store.ts'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { openStatement, type StatementLine } from '../../../../src/features/records/reports/statement-store.ts'
import { createConsoleStore } from '../../../../src/features/records/reports/store.ts'
import { createTree } from '../../../../testkit/receipts/tree-rig.ts'
import { type EngineName, freshStore, onDisk } from '../../../../testkit/store/engines.ts'
import { dayMs, History } from './history.ts'

export const retentionDays = 35
export const resultDays = 30

/** A store with random traffic, and what archives it. */
export async function openArchiveRig(engine: EngineName, seed: number) {
  const { store, database, remove } = await freshStore(engine, onDisk)
  const history = new History(store, seed)
  const path = join(database.dataDir, 'archives')
  const directory = () => createArchiveDirectory(path)
  const tree = createTree({
    ...{ engine: store, dataDir: database.dataDir, clock: () => history.now },
    archivedReads: createArchivedReads({
      ...{ engine: store, directory: directory() },
      onUnreadable: (_, error) => {
        throw error
      },
    }),
  })
  const archiveStore = {
    ...createArchiveStore(store),
    // The history has a clock of its own.
    times: async () => ({ databaseMs: history.now, newestEntryMs: null }),
    // Only what is in the public tree is archived.
    candidates: async (...given: Parameters<ReturnType<typeof createArchiveStore>['candidates']>) => {
      await tree.settle()
      return createArchiveStore(store).candidates(...given)
    },
  }
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
  const reports = createConsoleStore(store)
  return {
    store,
    tree,
    /** What a signed receipt says, by the kind of its subject. */
    receipt: async (projectId: string, subject: { chargeId: string } | { seq: number }) => {
      const receipts = tree.receipts()
      const jws = await ('seq' in subject
        ? receipts.entry(projectId, subject.seq)
        : receipts.charge(projectId, subject.chargeId))
      return JSON.parse(Buffer.from(jws.split('.')[1]!, 'base64url').toString())
    },
    signedStatement: async (projectId: string, month: string): Promise<string[]> => {
      const statements = tree.statements(reports)
      const jws = await statements.jws(projectId, month)
      const lines: Buffer[] = []
      for await (const chunk of await statements.jsonl(projectId, month)) lines.push(chunk)
      return [jws, Buffer.concat(lines).toString(), JSON.stringify(await statements.month(projectId, month))]
    },
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
