import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import type { Engine, Reader } from '../../../../src/storage/engine.ts'
import { createTree } from '../../../../testkit/receipts/tree-rig.ts'
import { engines, freshStore } from '../../../../testkit/store/engines.ts'
import { addCredits, createCustomer, createRig } from '../../../../testkit/store/rig.ts'

test.each(engines)(
  'reconcile reads the runs of a project together on %s, however many steps made them',
  async (engine) => {
    const fresh = await freshStore(engine)
    const dataDir = await mkdtemp(join(tmpdir(), 'gateway-tree-'))
    onTestFinished(async () => {
      await fresh.remove()
      await rm(dataDir, { recursive: true, force: true })
    })
    const rig = createRig(fresh.store)
    const { projectId } = await createCustomer(rig)
    const tree = await createTree({ engine: fresh.store, dataDir, instanceId: 'ins_1' })
    const reads: number[] = []
    for (let steps = 1; steps <= 8; steps += 1) {
      await addCredits(rig, projectId, 10)
      await tree.settle()
      const counted = countedReads(fresh.store)
      expect((await reconcile(counted.engine)).differences).toEqual([])
      reads.push(counted.statements())
    }
    expect(reads.at(-1)).toBe(reads[0])
  },
)

/** The store, and how many statements its reads have run. */
function countedReads(store: Pick<Engine, 'read'>) {
  let statements = 0
  const counted = (tx: Reader): Reader => ({
    all: (...statement) => {
      statements += 1
      return tx.all(...statement)
    },
    get: (...statement) => {
      statements += 1
      return tx.get(...statement)
    },
  })
  const engine: Pick<Engine, 'read'> = { read: (work) => store.read((tx) => work(counted(tx))) }
  return { engine, statements: () => statements }
}
