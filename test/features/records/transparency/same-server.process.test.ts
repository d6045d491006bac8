import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { currentLog } from '../../../../src/features/records/transparency/log-store.ts'
import { tools } from '../../../../testkit/installed-tools.ts'
import { createTree } from '../../../../testkit/receipts/tree-rig.ts'
import { openDatabase, type Store } from '../../../../testkit/store/engines.ts'
import { type PostgresServer, startPostgres } from '../../../../testkit/store/postgres-server.ts'
import { onServer } from '../../../../testkit/store/postgres-standby.ts'
import { addCredits, createCustomer, createRig } from '../../../../testkit/store/rig.ts'

const run = promisify(execFile)
const sql = (server: PostgresServer, text: string) =>
  onServer(server, async (client) => void (await client.query(text)))

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-same-server-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A way to copy the database `gateway`, and to put the copy back on the same server. */
interface Backup {
  make(): Promise<unknown>
  putBack(): Promise<unknown>
}

/** Machine `b` publishes more than the copy has; afterwards `a`, which does not know that, is the first to start. */
async function signsAfter(server: PostgresServer, backup: (url: string, folder: string) => Backup): Promise<boolean> {
  onTestFinished(server.remove)
  await sql(server, 'CREATE DATABASE gateway')
  const databaseUrl = server.url.replace(/\/postgres$/, '/gateway')
  const { make, putBack } = backup(databaseUrl, await temporaryFolder())
  const storeDir = await temporaryFolder()
  const [a, b] = [
    { host: 'a', dataDir: await temporaryFolder() },
    { host: 'b', dataDir: await temporaryFolder() },
  ]
  const withStore = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const store = await openDatabase({ databaseUrl, dataDir: storeDir, remove: async () => {} })
    return work(store).finally(() => store.close())
  }
  async function signs(store: Store, { host, dataDir }: typeof a): Promise<boolean> {
    const before = (await store.read(currentLog)).size
    await addCredits(createRig(store), projectId, 10)
    await store.write((tx) => tx.run('UPDATE transparency_logs SET claim_until = 0'))
    await createTree({ engine: store, dataDir, instanceId: `ins_${host}`, keepers: { host } }).settle()
    return (await store.read(currentLog)).size > before
  }
  let projectId = ''
  await withStore(async (store) => {
    ;({ projectId } = await createCustomer(createRig(store)))
    for (const one of [a, b]) expect(await signs(store, one)).toBe(true)
  })
  await make()
  await withStore(async (store) => expect(await signs(store, b)).toBe(true))
  await putBack()
  return withStore((store) => signs(store, a))
}

test.runIf(tools.postgres)(
  'after pg_restore into the same database nothing is signed before the others have checked',
  async () => {
    const programs = dirname(tools.postgres!)
    const server = await startPostgres({ fsync: false, programs })
    const signed = await signsAfter(server, (url, folder) => ({
      make: () => run(join(programs, 'pg_dump'), ['--format=custom', `--file=${folder}/dump`, url]),
      putBack: () =>
        run(join(programs, 'pg_restore'), ['--clean', '--exit-on-error', `--dbname=${url}`, `${folder}/dump`]),
    }))
    expect(signed).toBe(false)
  },
)

test('after a copied database took the name of its original nothing is signed before the others have checked', async () => {
  const server = await startPostgres({ fsync: false })
  const signed = await signsAfter(server, () => ({
    make: () => sql(server, 'CREATE DATABASE copy TEMPLATE gateway'),
    putBack: async () => {
      await sql(server, 'DROP DATABASE gateway WITH (FORCE)')
      await sql(server, 'ALTER DATABASE copy RENAME TO gateway')
    },
  }))
  expect(signed).toBe(false)
})
