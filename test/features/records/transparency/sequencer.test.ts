import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyConsistency, verifyReceipt } from '../../../../sdk/src/index.ts'
import { isConsistent, rootOfInclusion } from '../../../../sdk/src/merkle.ts'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { readLag } from '../../../../src/features/records/transparency/lag.ts'
import { tileReader } from '../../../../src/features/records/transparency/log-store.ts'
import {
  KeptUnreadable,
  keptCheckpointFile,
  transparencyFault,
} from '../../../../src/features/records/transparency/publisher.ts'
import type { SequencerDeps } from '../../../../src/features/records/transparency/sequencer.ts'
import { consistencyProof, inclusionProof, type ReadTile } from '../../../../src/features/records/transparency/tree.ts'
import type { Reader, Writer } from '../../../../src/storage/engine.ts'
import { mth, openNote, rootByPath, rootsByProof } from '../../../../testkit/receipts/rfc-tree.ts'
import { createTree, type Tree } from '../../../../testkit/receipts/tree-rig.ts'
import { engines, freshStore, isFullMatrix } from '../../../../testkit/store/engines.ts'
import { addCredits, createCustomer, createRig, type Rig } from '../../../../testkit/store/rig.ts'
import { seedBusyProjects } from '../../../../testkit/store/seed-busy-projects.ts'
import { tamperedTrees } from '../reconcile/tampered-trees.ts'

describe.each(engines)('the tree of the ledger on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let rig: Rig
  const folders: string[] = []
  beforeEach(async () => {
    fresh = await freshStore(engine)
    rig = createRig(fresh.store)
  })
  afterEach(async () => {
    await fresh.remove()
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
  })

  async function instance(instanceId = 'ins_1', store: SequencerDeps['engine'] = fresh.store): Promise<Tree> {
    const dataDir = await mkdtemp(join(tmpdir(), 'gateway-tree-'))
    folders.push(dataDir)
    return createTree({ engine: store, dataDir, instanceId })
  }

  /** A project with that many entries. */
  async function project(entries: number): Promise<string> {
    const { projectId } = await createCustomer(rig)
    for (let entry = 0; entry < entries; entry += 1) await addCredits(rig, projectId, 10)
    return projectId
  }

  const entryLeaves = () => fresh.store.read((tx) => leavesOf(tx))

  test('every proof verifies, with our verifier and with the one from the RFC', async () => {
    await seedBusyProjects(fresh.store, isFullMatrix ? 42_000 : 150)
    const tree = await instance()
    await tree.settle()
    const leaves = await tree.leaves()
    const { size, root } = openNote((await tree.log()).checkpoint!, (await tree.jwks()).keys[0]!.x)
    expect(size).toBe(leaves.length)
    expect(mth(leaves).equals(root)).toBe(true)
    const { differences } = await reconcile(fresh.store)
    expect(differences.filter(({ invariant }) => invariant === 'I10')).toEqual([])
    // One short read per tile: a transaction may not stay open for all proofs.
    const known = new Map<string, Promise<Uint8Array>>()
    const read: ReadTile = (level, index, width) => {
      const place = `${level}/${index}`
      if (!known.has(place))
        known.set(
          place,
          fresh.store.read((tx) => tileReader(tx, 1)(level, index, width)),
        )
      return known.get(place)!
    }
    const wrong: number[] = []
    for (let index = 0; index < size; index += 1) {
      const proof = await inclusionProof(read, index, size)
      const theirs = rootByPath(leaves[index]!, index, size, proof)
      const ours = await rootOfInclusion({ leaf: leaves[index]!, index, size, proof })
      if (!theirs.equals(root) || !Buffer.from(ours!).equals(root)) wrong.push(index)
    }
    expect(wrong).toEqual([])
    for (const old of [1, 2, 3, 255, 256, 257, 511, size - 1, size].filter((one) => one <= size)) {
      const oldRoot = mth(leaves.slice(0, old))
      const proof = await consistencyProof(read, old, size)
      expect(await isConsistent({ oldSize: old, oldRoot, size, root, proof })).toBe(true)
      const [was, is] = rootsByProof(oldRoot, old, size, proof)
      expect([was.equals(oldRoot), is.equals(root)]).toEqual([true, true])
      const other = mth(leaves.slice(0, old).toReversed())
      if (old > 2) expect(await isConsistent({ oldSize: old, oldRoot: other, size, root, proof })).toBe(false)
    }
  }, 1_800_000)

  test('a failure at any statement leaves no gap, no double and no fork', async () => {
    await project(3)
    for (let failing = 1; ; failing += 1) {
      await project(1)
      const faulty = failingAt(fresh.store, failing)
      const tree = await instance(`ins_${failing}`, faulty.engine)
      const error = await tree.settle().then(
        () => null,
        (thrown) => thrown,
      )
      await fresh.store.write((tx) => tx.run('UPDATE transparency_logs SET claim_until = 0'))
      const next = await instance()
      await next.settle()
      const rows = await entryLeaves()
      expect(rows.length).toBe(3 + failing)
      expect(new Set(rows.map(({ projectId, seq }) => `${projectId} ${seq}`)).size).toBe(rows.length)
      if (error === null && !faulty.hasFailed()) break
    }
    const report = await reconcile(fresh.store)
    expect(report.differences.filter(({ invariant }) => invariant === 'I10')).toEqual([])
  }, 60_000)

  test('what a comparison has placed is not looked at again', async () => {
    await project(30)
    const tree = createTree({ engine: fresh.store, dataDir: fresh.database.dataDir, batch: 8 })
    await tree.settle()
    await project(1)
    await tree.settle()
    expect((await entryLeaves()).length).toBe(31)
    const newest = await fresh.store.read((tx) =>
      tx.get<{ id: number }>('SELECT MAX(entry_id) AS id FROM ledger_entries'),
    )
    expect((await tree.log()).lastEntryId).toBe(newest!.id)
  })

  test('instances that append at once make one tree', async () => {
    await project(30)
    const trees = await Promise.all(['ins_1', 'ins_2', 'ins_3'].map((id) => instance(id)))
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([project(4), ...trees.map((tree) => tree.step())])
      await fresh.store.write((tx) => tx.run('UPDATE transparency_logs SET claim_until = 0'))
      await Promise.all(trees.map((tree) => tree.step()))
    }
    await fresh.store.write((tx) => tx.run('UPDATE transparency_logs SET claim_until = 0'))
    await trees[0]!.settle()
    await fresh.store.write((tx) => tx.run('UPDATE transparency_logs SET claim_until = 0'))
    await (await instance('ins_9')).settle()
    const rows = await entryLeaves()
    expect(rows.length).toBe(50)
    expect(trees.flatMap(({ refusals }) => refusals)).toEqual([])
    const seqs = Map.groupBy(rows, ({ projectId }) => projectId)
    for (const own of seqs.values()) expect(own.map(({ seq }) => seq)).toEqual(own.map((_, index) => index + 1))
  })

  test('an instance whose clock was ahead when it died stops no other', async () => {
    await project(2)
    const dataDir = await mkdtemp(join(tmpdir(), 'gateway-tree-'))
    folders.push(dataDir)
    const clock = () => Date.now() + 86_400_000
    await createTree({ engine: fresh.store, dataDir, instanceId: 'ins_ahead', clock }).settle()
    await project(1)
    const other = await instance('ins_other')
    await other.settle()
    expect((await entryLeaves()).length).toBe(2)
    expect(await fresh.store.read(readLag)).toMatchObject({ entries: 1, oldestAt: expect.any(Number) })
    // Written by a gateway of the version before.
    const far = Date.now() + 3_600_000
    await fresh.store.write((tx) => tx.run('UPDATE transparency_logs SET claim_until = $1', [far]))
    await other.settle()
    expect((await entryLeaves()).length).toBe(3)
    expect(await fresh.store.read(readLag)).toEqual({ entries: 0, oldestAt: null })
  })

  test('a kept checkpoint that is empty is a fault, and nothing is signed', async () => {
    await project(2)
    const { dataDir } = fresh.database
    await createTree({ engine: fresh.store, dataDir }).settle()
    await project(1)
    await writeFile(keptCheckpointFile(dataDir), '')
    await expect(createTree({ engine: fresh.store, dataDir }).settle()).rejects.toBeInstanceOf(KeptUnreadable)
    expect((await entryLeaves()).length).toBe(2)
    expect(await transparencyFault(fresh.store, dataDir)).toContain('is not a checkpoint')
  })

  test('an instance that was frozen past its claim appends nothing to a tree that has grown', async () => {
    const other = await instance('ins_other')
    await project(3)
    await other.settle()
    await project(4)
    const letRunOut = () => fresh.store.write((tx) => tx.run('UPDATE transparency_logs SET claim_until = 0'))
    await letRunOut()
    const frozen = await instance('ins_frozen', {
      kind: fresh.store.kind,
      read: (work) => fresh.store.read(work),
      write: async (work) => {
        await other.settle()
        await letRunOut()
        return fresh.store.write(work)
      },
    })
    await frozen.step()
    expect((await entryLeaves()).length).toBe(7)
    expect((await other.log()).size).toBe((await other.leaves()).length)
    const { differences } = await reconcile(fresh.store)
    expect(differences.filter(({ invariant }) => invariant === 'I10')).toEqual([])
  })

  const firstTile = (change: (hashes: Buffer[]) => Buffer[]) => async (tx: Writer) => {
    const { hashes } = (await tx.get<{ hashes: string }>('SELECT hashes FROM transparency_tiles WHERE level = 0'))!
    const bytes = Buffer.from(hashes, 'base64')
    const all = Array.from({ length: bytes.length / 32 }, (_, at) => bytes.subarray(at * 32, at * 32 + 32))
    const changed = Buffer.concat(change(all)).toString('base64')
    await tx.run('UPDATE transparency_tiles SET hashes = $1 WHERE level = 0', [changed])
  }
  const someHash = Buffer.alloc(32, 7)
  const rewritten: [string, (tx: Writer) => Promise<unknown>][] = [
    ...tamperedTrees.filter(([name]) => !['an inserted leaf', 'a smaller tree'].includes(name)),
    ['a deleted entry', (tx) => tx.run('DELETE FROM ledger_entries WHERE seq = 2')],
    ['a changed hash in a tile', firstTile(([, ...rest]) => [someHash, ...rest])],
    ['an inserted hash in a tile', firstTile(([first, ...rest]) => [first!, someHash, ...rest])],
    ['swapped hashes in a tile', firstTile(([a, b, ...rest]) => [b!, a!, ...rest])],
    ['a deleted tile', (tx) => tx.run('DELETE FROM transparency_tiles WHERE level = 0')],
    [
      'a cut-off end',
      async (tx) => {
        await firstTile((all) => all.slice(0, 3))(tx)
        await tx.run('UPDATE transparency_runs SET to_seq = 2, salts = substr(salts, 1, 48)')
        await tx.run('UPDATE transparency_logs SET size = 3, last_entry_id = 0')
        await tx.run('DELETE FROM transparency_progress')
      },
    ],
  ]
  // Proofs are made and verified alike on both engines.
  test.runIf(engine === 'sqlite' || isFullMatrix).each(rewritten)(
    '%s is caught by a payer with the checkpoint of yesterday',
    async (_, tamper) => {
      const projectId = await project(5)
      const tree = await instance()
      await tree.settle()
      const { size, note: since } = tree.publisher.current()!
      // An attacker who rewrites the store also removes what was published, and keeps signing.
      await fresh.store.write(async (tx) => {
        await tamper(tx)
        await tx.run('UPDATE transparency_logs SET checkpoint = NULL, claim_until = 0')
      })
      await project(4)
      const other = await instance('ins_2')
      await other.settle().catch(() => {})
      const { receipts, jwks } = { receipts: other.receipts(), jwks: await other.jwks() }
      const verdicts = await Promise.all(
        [1, 2, 3, 4, 5].map((seq) =>
          receipts
            .entry(projectId, seq, String(size))
            .then((jws) => verifyReceipt(jws, { jwks, since }))
            .then(
              ({ ok }) => ok,
              () => false,
            ),
        ),
      )
      expect(verdicts).toContain(false)
    },
  )

  test('an untouched history still verifies the next day', async () => {
    const projectId = await project(5)
    const tree = await instance()
    await tree.settle()
    const { size, note: since } = tree.publisher.current()!
    await project(4)
    await tree.settle()
    const jws = await tree.receipts().entry(projectId, 2, String(size))
    const { steps } = await verifyReceipt(jws, { jwks: await tree.jwks(), since })
    expect(steps.filter(({ ok }) => !ok)).toEqual([])
  })

  test('leaves that 0.2.0 appended keep their places, and the tree goes on after them', async () => {
    const projectId = await project(5)
    const tree = await instance()
    await tree.settle()
    const before = await tree.receipts().entry(projectId, 3)
    await fresh.store.write(async (tx) => {
      for (const { index, entryId, salt } of await leavesOf(tx)) {
        await tx.run(
          'INSERT INTO transparency_leaves (log_number, leaf_index, entry_id, salt) VALUES (1, $1, $2, $3)',
          [index, entryId, salt],
        )
      }
      await tx.run('DELETE FROM transparency_runs')
    })
    await addCredits(rig, projectId, 10)
    await tree.settle()
    const jwks = await tree.jwks()
    for (const seq of [3, 6])
      expect(await verifyReceipt(await tree.receipts().entry(projectId, seq), { jwks })).toMatchObject({ ok: true })
    expect(entriesOf(await tree.receipts().entry(projectId, 3))).toMatchObject(placeOf(entriesOf(before)))
    const { differences } = await reconcile(fresh.store)
    expect(differences.filter(({ invariant }) => invariant === 'I10')).toEqual([])
  })

  test('a rewritten history is caught by a payer who kept a checkpoint, and is not signed', async () => {
    await project(5)
    const tree = await instance()
    await tree.settle()
    const yesterday = tree.publisher.current()!
    // An attacker rebuilds the tree over changed entries.
    await fresh.store.write(async (tx) => {
      for (const table of ['leaves', 'runs', 'tiles', 'progress']) await tx.run(`DELETE FROM transparency_${table}`)
      await tx.run('DELETE FROM transparency_logs')
      await tx.run('UPDATE ledger_entries SET amount = amount + 1 WHERE seq = 2')
    })
    await project(5)
    const other = await instance('ins_2')
    await other.settle()
    const today = other.publisher.current()!
    const proof = await fresh.store.read((tx) => consistencyProof(tileReader(tx, 1), yesterday.size, today.size))
    const lines = proof.map((hash) => hash.toString('base64'))
    const verified = await verifyConsistency(yesterday.note, today.note, lines, { jwks: await other.jwks() })
    expect(verified).toMatchObject({ ok: false })
    // The instance that published the old one serves it still, and stops every other.
    await tree.settle()
    expect(tree.refusals).toHaveLength(1)
    expect(tree.publisher.current()!.note).toBe(yesterday.note)
    await project(1)
    const { size } = await other.log()
    await other.settle()
    expect((await other.log()).size).toBe(size)
  })
})

interface PlacedLeaf {
  readonly index: number
  readonly projectId: string
  readonly seq: number
  readonly entryId: number
  readonly salt: string
}

/** The leaves that are entries, in the order of the tree. */
async function leavesOf(tx: Reader): Promise<PlacedLeaf[]> {
  const rows = await tx.all<PlacedLeaf & { readonly salts: string; readonly from: number }>(
    `SELECT r.first_index + e.seq - r.from_seq AS "index", e.project_id AS "projectId", e.seq, e.entry_id AS "entryId",
      r.salts, r.from_seq AS "from" FROM transparency_runs r
      JOIN ledger_entries e ON e.project_id = r.project_id AND e.seq BETWEEN r.from_seq AND r.to_seq ORDER BY 1`,
  )
  return rows.map(({ salts, from, ...row }) => ({
    ...row,
    salt: salts.slice((row.seq - from) * 24, (row.seq - from + 1) * 24),
  }))
}

interface ReceiptEntry {
  readonly index: number
  readonly salt: string
}

const entriesOf = (jws: string): ReceiptEntry[] =>
  JSON.parse(Buffer.from(jws.split('.')[1]!, 'base64url').toString()).entries
const placeOf = (entries: readonly ReceiptEntry[]) => entries.map(({ index, salt }) => ({ index, salt }))

/** An engine whose n-th statement of a write fails. */
function failingAt(store: SequencerDeps['engine'], failing: number) {
  let statements = 0
  let hasFailed = false
  const engine: SequencerDeps['engine'] = {
    kind: store.kind,
    read: (work) => store.read(work),
    write: (work) =>
      store.write((tx) =>
        work({
          ...{ all: tx.all.bind(tx), get: tx.get.bind(tx) },
          run: (sql: string, params: never[] = []) => {
            statements += 1
            if (statements !== failing) return tx.run(sql, params)
            hasFailed = true
            throw new Error('the process ended here')
          },
        } as Writer),
      ),
  }
  return { engine, hasFailed: () => hasFailed }
}
