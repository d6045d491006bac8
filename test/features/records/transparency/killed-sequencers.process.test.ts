import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { currentLog } from '../../../../src/features/records/transparency/log-store.ts'
import { publishedOf, readKept } from '../../../../src/features/records/transparency/publisher.ts'
import { mth } from '../../../../testkit/receipts/rfc-tree.ts'
import { createTree } from '../../../../testkit/receipts/tree-rig.ts'
import {
  type Database,
  engines,
  isFullMatrix,
  migratedDatabase,
  openDatabase,
} from '../../../../testkit/store/engines.ts'
import { addCredits, createCustomer, createRig } from '../../../../testkit/store/rig.ts'

const program = fileURLToPath(new URL('../../../../testkit/receipts/sequencer-process.ts', import.meta.url))
/** SQLite has one process at a time. */
const atOnce = { sqlite: 1, postgres: 3 }
/** Every step in the long form; in the suite every fifth, each time another instance. */
const every = isFullMatrix ? 1 : 5

describe.each(isFullMatrix ? engines : (['postgres'] as const))('sequencers that are killed on %s', (engine) => {
  let database: Database
  const folders: string[] = []
  beforeAll(async () => {
    database = await migratedDatabase(engine)
    for (let index = 0; index < atOnce[engine]; index += 1)
      folders.push(engine === 'sqlite' ? database.dataDir : await mkdtemp(join(tmpdir(), 'gateway-killed-')))
  })
  afterAll(async () => {
    await database.remove()
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
  })

  /** Resolves with the number of steps, or null if it was killed. */
  async function run(folder: string, instanceId: string, killAt: number): Promise<number | null> {
    const child = spawn(process.execPath, [program, database.databaseUrl, folder, instanceId, String(killAt)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
    })
    const [code, signal] = await once(child, 'exit')
    expect([code, signal]).toEqual(signal === null ? [0, null] : [null, 'SIGKILL'])
    return signal === null ? Number(printed) : null
  }

  async function withStore<T>(work: (store: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>): Promise<T> {
    const store = await openDatabase(database)
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }

  test('sequencers that are killed leave no gap, no double and no fork, wherever they die', async () => {
    const seen: { size: number; root: Buffer }[] = []
    let entries = 0
    let killed = 0
    for (let step = 1, isDone = false; !isDone; step += every * atOnce[engine]) {
      await withStore(async (store) => {
        const rig = createRig(store)
        const { projectId } = await createCustomer(rig)
        for (let entry = 0; entry < 10; entry += 1) await addCredits(rig, projectId, 10)
        entries += 10
        // As if the claim of the one that died had run out.
        await store.write((tx) => tx.run('UPDATE transparency_logs SET claim_until = 0'))
      })
      const ends = await Promise.all(
        folders.map((folder, index) => run(folder, `ins_${step}_${index}`, step + every * index)),
      )
      killed += ends.filter((end) => end === null).length
      isDone = ends.every((end) => end !== null)
      // What any of them has kept was published.
      for (const folder of folders) {
        const kept = readKept(join(folder, 'transparency', 'checkpoint'))
        if (kept) seen.push(kept)
      }
    }
    expect(killed).toBeGreaterThan(isFullMatrix ? 10 : 3)
    await withStore(async (store) => {
      await store.write((tx) => tx.run('UPDATE transparency_logs SET claim_until = 0'))
      const tree = createTree({ engine: store, dataDir: folders[0]!, instanceId: 'ins_last' })
      await tree.settle()
      expect(tree.refusals).toEqual([])
      const placed = await store.read((tx) =>
        tx.all<{ entries: number; leaves: number }>(
          `SELECT COALESCE(SUM(to_seq - from_seq + 1), 0) AS leaves, (SELECT COUNT(*) FROM ledger_entries) AS entries FROM transparency_runs`,
        ),
      )
      expect(placed).toEqual([{ leaves: entries, entries }])
      const leaves = await tree.leaves()
      const log = await store.read(currentLog)
      for (const { size, root } of [...seen, publishedOf(log.checkpoint)!])
        expect(mth(leaves.slice(0, size)).equals(root)).toBe(true)
      const { differences } = await reconcile(store)
      expect(differences.filter(({ invariant }) => invariant === 'I10')).toEqual([])
    })
  }, 300_000)
})
