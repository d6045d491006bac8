import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { runCommand } from '../../testkit/gateway/run-command.ts'
import { createTree } from '../../testkit/receipts/tree-rig.ts'
import { type Database, freshStore, openDatabase, type Store } from '../../testkit/store/engines.ts'
import { addCredits } from '../../testkit/store/rig.ts'
import { type GoodHistory, writeGoodHistory } from '../features/records/reconcile/good-history.ts'

describe('a backup of the embedded store', () => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let history: GoodHistory
  let directory: string
  beforeAll(async () => {
    fresh = await freshStore('sqlite')
    history = await writeGoodHistory(fresh.store)
    directory = await mkdtemp(join(tmpdir(), 'gateway-backup-'))
  })
  afterAll(async () => {
    await fresh.remove()
    await rm(directory, { recursive: true })
  })

  const backup = (file: string, ...argv: string[]) => runCommand(fresh.database, ['backup', file, ...argv])
  const restored = (file: string): Database => ({
    ...fresh.database,
    databaseUrl: `sqlite:${file}`,
    dataDir: directory,
  })

  async function rowsOf(store: Store) {
    return store.read(async (tx) => {
      const tables = await tx.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      const rows = tables.map(async ({ name }) => [name, (await tx.all(`SELECT * FROM ${name}`)).sort(byText)] as const)
      return Object.fromEntries(await Promise.all(rows))
    })
  }
  const byText = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

  test('a backup of the embedded store restores to the same rows, which reconcile', async () => {
    const file = join(directory, 'copy.sqlite')
    const ran = await backup(file)
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    expect(ran.stdout).toContain(file)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const copy = await openDatabase(restored(file))
    expect(await rowsOf(copy)).toEqual(await rowsOf(fresh.store))
    expect(await reconcile(copy)).toEqual(await reconcile(fresh.store))
    await copy.close()
  })

  test('a backup of the embedded store is one consistent snapshot while calls continue', async () => {
    const file = join(directory, 'busy.sqlite')
    let isCopying = true
    const traffic = async () => {
      for (let count = 0; isCopying || count < 5; count += 1)
        await addCredits(history.rig, history.customer.projectId, 10)
    }
    const [ran] = await Promise.all([
      backup(file, '--json').finally(() => {
        isCopying = false
      }),
      traffic(),
    ])
    expect(JSON.parse(ran.stdout)).toEqual({ file, bytes: (await stat(file)).size })
    const copy = await openDatabase(restored(file))
    expect((await reconcile(copy)).differences).toEqual([])
    await copy.close()
  })

  test('a backup reconciles on a machine that has published since, where an older store that is served does not', async () => {
    const { rig, customer } = history
    const tree = createTree({ engine: fresh.store, dataDir: fresh.database.dataDir })
    await tree.settle()
    const file = join(directory, 'outdated.sqlite')
    await backup(file)
    await addCredits(rig, customer.projectId, 10)
    await tree.settle()
    const check = (...argv: string[]) =>
      runCommand({ ...fresh.database, databaseUrl: `sqlite:${file}` }, ['reconcile', ...argv])
    expect(await check('--backup')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('The books balance') })
    expect(await check()).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('this machine kept') })
  })

  test('a backup of the embedded store overwrites nothing and creates no directory', async () => {
    const taken = join(directory, 'taken.sqlite')
    await backup(taken)
    const before = await stat(taken)
    expect(await backup(taken)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `${taken} already exists; a backup never overwrites a file\n`,
    })
    expect((await stat(taken)).mtimeMs).toBe(before.mtimeMs)
    expect(await backup(join(directory, 'missing', 'x.sqlite'))).toMatchObject({ exitCode: 2, stdout: '' })
  })
})

test('on PostgreSQL the command names the program that makes backups, and not the one that docs/recovery.md warns against', async () => {
  const fresh = await freshStore('postgres')
  const ran = await runCommand(fresh.database, ['backup', join(fresh.database.dataDir, 'x')])
  expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
  expect(ran.stderr).toMatch(/^PostgreSQL [^\n]*pg_basebackup[^\n]*\n$/)
  expect(ran.stderr).not.toContain('pg_dump')
  await fresh.remove()
})
