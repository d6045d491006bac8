import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../../../src/config/config.ts'
import { checkWitnesses } from '../../../../src/config/witnesses.ts'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { createTileCache, currentLog } from '../../../../src/features/records/transparency/log-store.ts'
import { createWitnessing, silentWitnesses } from '../../../../src/features/records/transparency/witnessing.ts'
import { openNote } from '../../../../testkit/receipts/rfc-tree.ts'
import { createTree, type Tree } from '../../../../testkit/receipts/tree-rig.ts'
import { startWitness } from '../../../../testkit/receipts/witness-server.ts'
import { engines, freshStore } from '../../../../testkit/store/engines.ts'
import { addCredits, createCustomer, createRig, type Rig } from '../../../../testkit/store/rig.ts'

describe.each(engines)('witnesses of the log on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let rig: Rig
  let tree: Tree
  let dataDir: string
  let projectId: string
  const key = async () => (await tree.jwks()).keys[0]!.x
  let witness: Awaited<ReturnType<typeof startWitness>>
  beforeAll(async () => {
    fresh = await freshStore(engine)
    rig = createRig(fresh.store)
    ;({ projectId } = await createCustomer(rig))
    dataDir = await mkdtemp(join(tmpdir(), 'gateway-witness-'))
    tree = createTree({ engine: fresh.store, dataDir })
    witness = await startWitness('witness.example/w1', key)
    await grow(3)
  })
  afterAll(async () => {
    await witness.stop()
    await fresh.remove()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function grow(entries: number): Promise<void> {
    for (let entry = 0; entry < entries; entry += 1) await addCredits(rig, projectId, 10)
    await tree.settle()
  }

  /** An instance that has just started, and asks once. */
  async function collect(): Promise<string[]> {
    const refused: string[] = []
    const witnessing = createWitnessing({
      ...{ engine: fresh.store, instanceId: 'ins_1', witnesses: [witness.settings], publisher: tree.publisher },
      ...{ tiles: createTileCache(), clock: Date.now },
      onRefused: (name, { message, contradicts }) =>
        void refused.push(`${name}${contradicts ? ' contradicts' : ''}: ${message}`),
      onFault: (error) => {
        throw error
      },
    })
    await witnessing.step()
    await witnessing.stop()
    await tree.publisher.refresh()
    return refused
  }
  const served = () => tree.publisher.current()!.note
  const silent = () => silentWitnesses(fresh.store, [witness.settings])

  test('a cosignature is added to the checkpoint, which stays what the log signed', async () => {
    expect(await silent()).toEqual(['witness.example/w1'])
    const before = served()
    expect(await collect()).toEqual([])
    expect(served().startsWith(before)).toBe(true)
    // The line of a key that is not in the settings is left out.
    expect(served().match(/^— /gm)).toHaveLength(2)
    expect(openNote(served(), await key()).size).toBe(witness.seen().size)
    expect(await silent()).toEqual([])
    const asked = witness.requests.length
    expect(await collect()).toEqual([])
    expect(witness.requests).toHaveLength(asked)
  })

  test('an instance that does not know the size of the witness learns it, and proves consistency', async () => {
    await grow(2)
    expect(served().match(/^— /gm)).toHaveLength(1)
    expect(await collect()).toEqual([])
    expect(witness.requests.slice(-2)).toMatchObject([
      { old: 0, status: 409 },
      { old: expect.any(Number), status: 200 },
    ])
    expect(witness.requests.at(-1)!.old).toBeGreaterThan(0)
    expect(served().match(/^— /gm)).toHaveLength(2)
  })

  test('the newest cosigned checkpoint is kept while the log grows on', async () => {
    const { size } = tree.publisher.current()!
    await grow(1)
    const log = await fresh.store.read(currentLog)
    expect([openNote(log.cosigned!, await key()).size, log.cosigned!.match(/^— /gm)]).toEqual([size, ['— ', '— ']])
    expect(served().match(/^— /gm)).toHaveLength(1)
  })

  test.each([
    ['silence', 'no response'],
    ['other key', 'no valid cosignature'],
    ['long', 'too long'],
    [404, 'status 404'],
  ] as const)('a witness that answers with %s changes nothing', async (lie, fault) => {
    await grow(1)
    witness.lieAs(lie)
    const before = served()
    const [refused] = await collect()
    witness.lieAs(null)
    expect(refused).toContain(fault)
    expect(served()).toBe(before)
  })

  test('a witness that has seen a larger or another tree contradicts this one', async () => {
    const { size, root } = tree.publisher.current()!
    for (const [seen, other, fault] of [
      [size + 5, root, `it has seen a tree of ${size + 5} leaves`],
      [size, Buffer.alloc(32, 1), 'it has another tree'],
      [size - 1, Buffer.alloc(32, 1), 'it does not accept the consistency proof'],
    ] as const) {
      witness.remember(seen, other)
      expect(await collect()).toEqual([`witness.example/w1 contradicts: ${fault}`])
    }
    const { differences } = await reconcile(fresh.store)
    expect(differences.filter(({ invariant }) => invariant === 'I10')).toEqual([])
  })

  test('a damaged key is refused at the start', () => {
    const { vkey } = witness.settings
    const check = (...keys: string[]) =>
      checkWitnesses(
        keys.map((one, index) => ({ name: `w${index}`, vkey: one })),
        (at) => new Error(at),
      )
    expect(() => check(vkey)).not.toThrow()
    expect(() => check(vkey, vkey.replace(/\+[0-9a-f]{8}\+/, '+00000000+'))).toThrow('transparency.witnesses.1.vkey')
    expect(() => checkWitnesses([witness.settings, witness.settings], (at) => new Error(at))).toThrow('1.name')
    expect(loadConfig({}).transparency.witnesses).toEqual([])
  })
})
